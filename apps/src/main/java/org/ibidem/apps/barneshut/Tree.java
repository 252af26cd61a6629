package org.ibidem.apps.barneshut;

import java.util.Arrays;

/// Cells of space, each cut into eight where it holds more than one body; with the mass of each and
/// where its middle is.
public final class Tree {
    /// A cell counts as one body from this many times its width on.
    private static final double NEAR = 2;

    /// Keeps bodies that meet from being thrown away.
    private static final double SOFT = 1e-3;

    private static final int DEEPEST = 40;
    private static final int NONE = -1;

    private final double[] places;

    /// The eight cells in each; or none.
    private int[] inner = new int[8 * 1024];

    /// Mass, and x, y and z of its middle.
    private double[] middles = new double[4 * 1024];

    /// The body that is all of it.
    private int[] only = new int[1024];

    private int cells;
    private final double half;

    /// Of bodies of mass 1.
    ///
    /// @param places x, y and z of each
    public Tree(double[] places) {
        this.places = places;
        half = Arrays.stream(places).map(Math::abs).max().orElse(0) + SOFT;
        cell();
        for (int body = 0; body < places.length / 3; body++) {
            put(body);
        }
        for (int cell = 0; cell < cells; cell++) {
            for (int axis = 1; axis < 4; axis++) {
                middles[4 * cell + axis] /= middles[4 * cell];
            }
        }
    }

    private int cell() {
        if (cells == only.length) {
            inner = Arrays.copyOf(inner, 2 * inner.length);
            middles = Arrays.copyOf(middles, 2 * middles.length);
            only = Arrays.copyOf(only, 2 * only.length);
        }
        Arrays.fill(inner, 8 * cells, 8 * cells + 8, NONE);
        only[cells] = NONE;
        return cells++;
    }

    private void weigh(int cell, int body) {
        middles[4 * cell]++;
        for (int axis = 0; axis < 3; axis++) {
            middles[4 * cell + 1 + axis] += places[3 * body + axis];
        }
    }

    private void put(int body) {
        var corner = new double[3];
        double width = half;
        int cell = 0;
        for (int deep = 0; deep < DEEPEST; deep++) {
            boolean first = middles[4 * cell] == 0;
            weigh(cell, body);
            if (first) {
                only[cell] = body;
                return;
            }
            int before = only[cell];
            if (before != NONE) {
                only[cell] = NONE;
                int inside = inside(cell, eighth(before, corner));
                weigh(inside, before);
                only[inside] = before;
            }
            int eighth = eighth(body, corner);
            cell = inside(cell, eighth);
            width /= 2;
            for (int axis = 0; axis < 3; axis++) {
                corner[axis] += (eighth >> axis & 1) == 0 ? -width : width;
            }
        }
        weigh(cell, body);
    }

    private int inside(int cell, int eighth) {
        if (inner[8 * cell + eighth] == NONE) {
            int made = cell();
            inner[8 * cell + eighth] = made;
        }
        return inner[8 * cell + eighth];
    }

    /// Which of the eight cells around a point it is in.
    private int eighth(int body, double[] middle) {
        int eighth = 0;
        for (int axis = 0; axis < 3; axis++) {
            eighth |= places[3 * body + axis] < middle[axis] ? 0 : 1 << axis;
        }
        return eighth;
    }

    /// Adds what all others do to a body: its acceleration along x, y and z.
    ///
    /// @param at where that is added in `forces`
    public void add(int body, double[] forces, int at) {
        add(0, 2 * half, body, forces, at);
    }

    private void add(int cell, double width, int body, double[] forces, int at) {
        if (only[cell] == body) {
            return;
        }
        double x = middles[4 * cell + 1] - places[3 * body];
        double y = middles[4 * cell + 2] - places[3 * body + 1];
        double z = middles[4 * cell + 3] - places[3 * body + 2];
        double square = x * x + y * y + z * z;
        if (only[cell] == NONE && square < NEAR * NEAR * width * width) {
            boolean cut = false;
            for (int eighth = 0; eighth < 8; eighth++) {
                int inside = inner[8 * cell + eighth];
                if (inside != NONE) {
                    cut = true;
                    add(inside, width / 2, body, forces, at);
                }
            }
            if (cut) {
                return;
            }
        }
        double soft = square + SOFT;
        double strength = middles[4 * cell] / (soft * Math.sqrt(soft));
        forces[at] += strength * x;
        forces[at + 1] += strength * y;
        forces[at + 2] += strength * z;
    }

    /// The potential of all others where a body is; its slope is what [#add] adds.
    public double potential(int body) {
        return potential(0, 2 * half, body);
    }

    private double potential(int cell, double width, int body) {
        if (only[cell] == body) {
            return 0;
        }
        double x = middles[4 * cell + 1] - places[3 * body];
        double y = middles[4 * cell + 2] - places[3 * body + 1];
        double z = middles[4 * cell + 3] - places[3 * body + 2];
        double square = x * x + y * y + z * z;
        if (only[cell] == NONE && square < NEAR * NEAR * width * width) {
            boolean cut = false;
            double sum = 0;
            for (int eighth = 0; eighth < 8; eighth++) {
                int inside = inner[8 * cell + eighth];
                if (inside != NONE) {
                    cut = true;
                    sum += potential(inside, width / 2, body);
                }
            }
            if (cut) {
                return sum;
            }
        }
        return -middles[4 * cell] / Math.sqrt(square + SOFT);
    }
}
