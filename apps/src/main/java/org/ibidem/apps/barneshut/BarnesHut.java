package org.ibidem.apps.barneshut;

import ibis.satin.SatinObject;

/// Arguments: bodies (5000), steps (10), how many bodies are done at once (100).
public final class BarnesHut extends SatinObject implements BarnesHutInterface {
    private static final long serialVersionUID = 1;

    private final int grain;

    BarnesHut(int grain) {
        this.grain = grain;
    }

    /// Its process has moved them as often.
    public boolean guard_forces(Bodies bodies, int from, int to, int step) {
        return bodies.step() == step;
    }

    @Override
    public double[] forces(Bodies bodies, int from, int to, int step) {
        if (to - from <= grain) {
            return bodies.forces(from, to);
        }
        int middle = (from + to) / 2;
        double[] first = forces(bodies, from, middle, step);
        double[] second = forces(bodies, middle, to, step);
        sync();
        var all = new double[first.length + second.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /// All steps.
    void play(Bodies bodies, int steps) {
        for (int step = 0; step < steps; step++) {
            double[] forces = forces(bodies, 0, bodies.count(), step);
            sync();
            bodies.move(forces);
        }
    }

    /// The same without spawning anything.
    static Bodies sequential(int count, int steps) {
        var bodies = new Bodies(count);
        for (int step = 0; step < steps; step++) {
            bodies.move(bodies.forces(0, count));
        }
        return bodies;
    }

    /// Prints where the first body is in the end, and whether that is right.
    public static void main(String[] arguments) {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5000;
        int steps = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        int grain = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 100;
        var bodies = new Bodies(count);
        bodies.exportObject();
        new BarnesHut(Math.max(1, grain)).play(bodies, steps);
        boolean right = bodies.isAt(sequential(count, steps));
        System.out.println(
                "after "
                        + steps
                        + " steps the first of "
                        + count
                        + " bodies is at "
                        + bodies.places()[0]
                        + (right ? ", right" : ", WRONG"));
    }
}
