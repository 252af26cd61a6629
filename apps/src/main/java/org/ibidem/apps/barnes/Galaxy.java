package org.ibidem.apps.barnes;

import java.util.Random;
import org.ibidem.apps.barneshut.Tree;

/// All bodies, of which one process moves a share. Masses add up to 1, and so does what binds them.
final class Galaxy {
    /// Time of a step; bodies cross the middle in about 1.
    private static final double STEP = 0.01;

    /// Of its size, from where on there are no bodies.
    private static final double FARTHEST = 8;

    private final double[] places;
    private final double[] speeds;
    private final int from;
    private final int to;
    private double[] pull;
    private Tree tree;

    /// A sphere as Plummer (1911) has it, always the same one for a number of bodies.
    ///
    /// @param from the first body of this process
    /// @param to the one behind its last
    Galaxy(int bodies, int from, int to) {
        this.places = new double[3 * bodies];
        this.speeds = new double[3 * bodies];
        this.from = from;
        this.to = to;
        var random = new Random(bodies);
        for (int body = 0; body < bodies; body++) {
            place(random, body);
        }
        this.tree = new Tree(places);
        this.pull = pulls();
    }

    /// Aarseth, Hénon and Wielen (1974).
    private void place(Random random, int body) {
        double radius;
        do {
            radius = 1 / Math.sqrt(Math.pow(random.nextDouble(), -2.0 / 3) - 1);
        } while (!(radius < FARTHEST));
        double part;
        double chance;
        do {
            part = random.nextDouble();
            chance = 0.1 * random.nextDouble();
        } while (chance > part * part * Math.pow(1 - part * part, 3.5));
        double speed = part * Math.sqrt(2) * Math.pow(1 + radius * radius, -0.25);
        somewhere(random, radius, places, 3 * body);
        somewhere(random, speed, speeds, 3 * body);
    }

    private static void somewhere(Random random, double length, double[] into, int at) {
        double z = 2 * random.nextDouble() - 1;
        double around = 2 * Math.PI * random.nextDouble();
        double flat = Math.sqrt(1 - z * z);
        into[at] = length * flat * Math.cos(around);
        into[at + 1] = length * flat * Math.sin(around);
        into[at + 2] = length * z;
    }

    private int bodies() {
        return places.length / 3;
    }

    /// Of this process's bodies, along x, y and z.
    private double[] pulls() {
        var all = new double[3 * (to - from)];
        for (int body = from; body < to; body++) {
            tree.add(body, all, 3 * (body - from));
        }
        for (int i = 0; i < all.length; i++) {
            all[i] /= bodies();
        }
        return all;
    }

    private void kick() {
        for (int i = 0; i < pull.length; i++) {
            speeds[3 * from + i] += STEP / 2 * pull[i];
        }
    }

    /// The first half of a step: this process's bodies move.
    ///
    /// @return where they are: x, y and z of each
    double[] drift() {
        kick();
        var mine = new double[pull.length];
        for (int i = 0; i < mine.length; i++) {
            places[3 * from + i] += STEP * speeds[3 * from + i];
            mine[i] = places[3 * from + i];
        }
        return mine;
    }

    /// Bodies of another process have moved.
    ///
    /// @param first of them
    void put(int first, double[] there) {
        System.arraycopy(there, 0, places, 3 * first, there.length);
    }

    /// The second half of a step, when all bodies have moved.
    void pull() {
        tree = new Tree(places);
        pull = pulls();
        kick();
    }

    /// The energy of this process's bodies: of their motion, and theirs of the one that binds.
    double energy() {
        double motion = 0;
        double bound = 0;
        for (int body = from; body < to; body++) {
            bound += tree.potential(body) / bodies();
            for (int i = 3 * body; i < 3 * body + 3; i++) {
                motion += speeds[i] * speeds[i];
            }
        }
        return (motion + bound) / 2 / bodies();
    }

    /// x, y and z of all.
    double[] places() {
        return places;
    }
}
