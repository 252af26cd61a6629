package org.ibidem.apps.barneshut;

import ibis.satin.SharedObject;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Bodies of one mass that all processes share.
final class Bodies extends SharedObject implements BodiesInterface {
    private static final long serialVersionUID = 1;
    private static final double SECONDS = 0.01;

    /// x, y and z of each.
    private final double[] places;

    private final double[] speeds;
    private int step;

    /// Made anew where it is asked for after a step.
    private transient @Nullable Tree tree;

    /// So many bodies in a cube, always the same.
    Bodies(int count) {
        places = new Random(count).doubles(3L * count, -1, 1).toArray();
        speeds = new double[3 * count];
    }

    @Override
    public void move(double[] forces) {
        for (int i = 0; i < places.length; i++) {
            speeds[i] += SECONDS * forces[i];
            places[i] += SECONDS * speeds[i];
        }
        step++;
        tree = null;
    }

    int step() {
        return step;
    }

    int count() {
        return places.length / 3;
    }

    double[] places() {
        return places;
    }

    /// One by one.
    double[] forces(int from, int to) {
        if (tree == null) {
            tree = new Tree(places);
        }
        var forces = new double[3 * (to - from)];
        for (int body = from; body < to; body++) {
            tree.add(body, forces, 3 * (body - from));
        }
        return forces;
    }

    boolean isAt(Bodies other) {
        return step == other.step && Arrays.equals(places, other.places);
    }
}
