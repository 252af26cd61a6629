package org.ibidem.apps.raytracer;

import java.io.Serializable;

/// A place, a direction, or a colour from 0 to 1.
record Vector(double x, double y, double z) implements Serializable {
    Vector plus(Vector other) {
        return new Vector(x + other.x, y + other.y, z + other.z);
    }

    Vector minus(Vector other) {
        return new Vector(x - other.x, y - other.y, z - other.z);
    }

    Vector times(double factor) {
        return new Vector(x * factor, y * factor, z * factor);
    }

    Vector times(Vector other) {
        return new Vector(x * other.x, y * other.y, z * other.z);
    }

    double dot(Vector other) {
        return x * other.x + y * other.y + z * other.z;
    }

    Vector unit() {
        return times(1 / Math.sqrt(dot(this)));
    }

    /// As three bytes.
    int colour() {
        return level(x) << 16 | level(y) << 8 | level(z);
    }

    /// The square root is near what screens expect.
    private static int level(double share) {
        return (int) (255 * Math.sqrt(Math.clamp(share, 0.0, 1.0)) + 0.5);
    }
}
