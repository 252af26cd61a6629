package org.ibidem.apps.raytracer;

import java.io.Serializable;

/// A ball.
///
/// @param mirrors what share of the light it mirrors
record Ball(Vector middle, double radius, Vector colour, double mirrors) implements Serializable {

    /// How far a ray goes until it meets the ball; infinity: it does not.
    double meets(Vector from, Vector direction, double nearest) {
        var way = middle.minus(from);
        double along = way.dot(direction);
        double inside = radius * radius - way.dot(way) + along * along;
        if (inside < 0) {
            return Double.POSITIVE_INFINITY;
        }
        double half = Math.sqrt(inside);
        if (along - half > nearest) {
            return along - half;
        }
        return along + half > nearest ? along + half : Double.POSITIVE_INFINITY;
    }
}
