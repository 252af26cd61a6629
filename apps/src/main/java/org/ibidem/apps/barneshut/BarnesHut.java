package org.ibidem.apps.barneshut;

import ibis.satin.SatinObject;
import org.ibidem.apps.Numbers;

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
        var numbers = new Numbers("barneshut [BODIES [STEPS [GRAIN]]]", arguments);
        int count = numbers.whole(0, 5000, 1, 10_000_000);
        int steps = numbers.whole(1, 10, 0, 1_000_000);
        int grain = numbers.whole(2, 100, 1, 10_000_000);
        var bodies = new Bodies(count);
        bodies.exportObject();
        new BarnesHut(grain).play(bodies, steps);
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
