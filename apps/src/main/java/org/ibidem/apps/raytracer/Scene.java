package org.ibidem.apps.raytracer;

import java.io.Serializable;
import java.util.Random;

/// Balls on a chequered floor, and a lamp.
final class Scene implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int DEEP = 5;
    private static final double NEAREST = 1e-6;
    private static final Vector EYE = new Vector(0, 2.2, -6);
    private static final Vector LAMP = new Vector(-6, 9, -5);
    private static final Vector SKY = new Vector(0.25, 0.45, 0.8);
    private static final double DARK = 0.15;

    private final Ball[] balls;

    /// So many balls, always the same.
    Scene(int count) {
        var random = new Random(count);
        balls = new Ball[count];
        for (int i = 0; i < count; i++) {
            double radius = 0.15 + 0.5 * random.nextDouble() * random.nextDouble();
            var middle =
                    new Vector(
                            8 * random.nextDouble() - 4,
                            radius + 2.5 * random.nextDouble() * random.nextDouble(),
                            9 * random.nextDouble() - 1);
            var colour =
                    new Vector(
                            0.2 + 0.8 * random.nextDouble(),
                            0.2 + 0.8 * random.nextDouble(),
                            0.2 + 0.8 * random.nextDouble());
            balls[i] = new Ball(middle, radius, colour, 0.6 * random.nextDouble());
        }
    }

    /// What is seen through a pixel of a square picture.
    int pixel(int column, int row, int side) {
        double x = (2.0 * column + 1 - side) / side;
        double y = (side - 2.0 * row - 1) / side;
        return seen(EYE, new Vector(0.75 * x, 0.75 * y - 0.2, 1).unit(), DEEP).colour();
    }

    private Vector seen(Vector from, Vector direction, int deep) {
        double far = Double.POSITIVE_INFINITY;
        Ball nearest = null;
        for (var ball : balls) {
            double way = ball.meets(from, direction, NEAREST);
            if (way < far) {
                far = way;
                nearest = ball;
            }
        }
        double floor = direction.y() < 0 ? -from.y() / direction.y() : far;
        if (floor > NEAREST && floor < far) {
            var at = from.plus(direction.times(floor));
            return lit(at, new Vector(0, 1, 0), direction, tile(at), 0.15, deep);
        }
        if (nearest == null) {
            return SKY.times(1 - 0.6 * Math.max(0, direction.y()));
        }
        var at = from.plus(direction.times(far));
        var up = at.minus(nearest.middle()).times(1 / nearest.radius());
        return lit(at, up, direction, nearest.colour(), nearest.mirrors(), deep);
    }

    private static Vector tile(Vector at) {
        long which = (long) Math.floor(at.x()) + (long) Math.floor(at.z());
        return (which & 1) == 0 ? new Vector(0.8, 0.8, 0.8) : new Vector(0.15, 0.15, 0.2);
    }

    /// @param up what is perpendicular to the surface
    private Vector lit(
            Vector at, Vector up, Vector direction, Vector colour, double mirrors, int deep) {
        var lamp = LAMP.minus(at);
        double way = Math.sqrt(lamp.dot(lamp));
        var toLamp = lamp.times(1 / way);
        double light = isDark(at, toLamp, way) ? 0 : Math.max(0, up.dot(toLamp));
        var own = colour.times(DARK + (1 - DARK) * light);
        if (deep == 0 || mirrors == 0) {
            return own;
        }
        var mirrored = direction.minus(up.times(2 * up.dot(direction)));
        return own.times(1 - mirrors).plus(seen(at, mirrored, deep - 1).times(mirrors));
    }

    private boolean isDark(Vector at, Vector toLamp, double way) {
        for (var ball : balls) {
            if (ball.meets(at, toLamp, NEAREST) < way) {
                return true;
            }
        }
        return false;
    }
}
