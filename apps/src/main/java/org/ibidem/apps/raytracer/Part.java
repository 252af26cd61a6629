package org.ibidem.apps.raytracer;

import java.io.Serializable;

/// A part of a picture, in pixels.
record Part(int left, int top, int width, int height) implements Serializable {
    int pixels() {
        return width * height;
    }

    /// Its left or upper half.
    Part first() {
        return width > height
                ? new Part(left, top, width / 2, height)
                : new Part(left, top, width, height / 2);
    }

    /// What that leaves.
    Part second() {
        return width > height
                ? new Part(left + width / 2, top, width - width / 2, height)
                : new Part(left, top + height / 2, width, height - height / 2);
    }

    /// Puts pixels of a part of this one where they belong.
    void put(int[] into, Part part, int[] pixels) {
        for (int row = 0; row < part.height; row++) {
            int to = (part.top - top + row) * width + part.left - left;
            System.arraycopy(pixels, row * part.width, into, to, part.width);
        }
    }
}
