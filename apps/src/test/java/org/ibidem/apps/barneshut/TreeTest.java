package org.ibidem.apps.barneshut;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TreeTest {
    private static final int COUNT = 300;

    /// Two in the same place among them, which no cell can tell apart.
    private static double[] places() {
        var places = new Bodies(COUNT).places().clone();
        System.arraycopy(places, 0, places, 3 * 7, 3);
        return places;
    }

    private static double[] summed(double[] places, int body) {
        var force = new double[3];
        for (int other = 0; other < COUNT; other++) {
            double square = 1e-3;
            for (int axis = 0; axis < 3; axis++) {
                square += Math.pow(places[3 * other + axis] - places[3 * body + axis], 2);
            }
            for (int axis = 0; axis < 3; axis++) {
                double way = places[3 * other + axis] - places[3 * body + axis];
                force[axis] += way / (square * Math.sqrt(square));
            }
        }
        return force;
    }

    private static double length(double[] force) {
        return Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    }

    @Test
    void its_forces_are_near_those_of_all_bodies_one_by_one() {
        var places = places();
        var tree = new Tree(places);
        double apart = 0;
        double whole = 0;
        for (int body = 0; body < COUNT; body++) {
            var exact = summed(places, body);
            var found = new double[3];
            tree.add(body, found, 0);
            whole += length(exact);
            for (int axis = 0; axis < 3; axis++) {
                found[axis] -= exact[axis];
            }
            apart += length(found);
        }
        assertThat(apart / whole).isLessThan(0.01);
    }
}
