package org.ibidem.apps.view;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;

/// Colours for numbers from 0 to 1: from black over violet and orange to pale yellow.
///
/// They grow evenly brighter, so that the eye reads the number from them, and so does a grey print.
public final class Palette {
    /// Red, green and blue at even distances from 0 to 1; between them they are mixed.
    private static final int[] COLOURS = {
        0x000004, 0x160b39, 0x420a68, 0x6a176e, 0x932667, 0xbc3754, 0xdd513a, 0xf37819, 0xfca50a,
        0xf6d746, 0xfcffa4
    };

    private Palette() {}

    /// An image of one byte for each pixel, all black.
    public static BufferedImage image(int width, int height) {
        return new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, model());
    }

    /// The pixel for a number; what is below 0 or above 1 is taken for that.
    public static byte shade(double value) {
        return (byte) Math.clamp(Math.round(value * 255), 0, 255);
    }

    private static IndexColorModel model() {
        var colours = new int[256];
        for (int i = 0; i < colours.length; i++) {
            colours[i] = colour(i / 255.0);
        }
        return new IndexColorModel(8, 256, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
    }

    private static int colour(double value) {
        double place = value * (COLOURS.length - 1);
        int below = Math.min((int) place, COLOURS.length - 2);
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int low = COLOURS[below] >> shift & 255;
            int high = COLOURS[below + 1] >> shift & 255;
            mixed = mixed << 8 | (int) Math.round(low + (high - low) * (place - below));
        }
        return mixed;
    }
}
