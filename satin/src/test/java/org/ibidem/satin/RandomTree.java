package org.ibidem.satin;

import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A random tree of jobs, some of which fail, onward to their spawner's spawner, to a handler at
/// sync or to an inlet that aborts the rest; and what should come of it, by plain recursion. The
/// seed says all; at most one of the jobs spawned together fails, so the order of stealing changes
/// nothing.
final class RandomTree extends Job {
    private static final long serialVersionUID = 1;
    private static final int WIDEST = 4;
    private static final int WORK = 2000;

    /// How a failure ends.
    private enum End {
        INLET,
        SYNC,
        ONWARD
    }

    /// What is spawned together.
    ///
    /// @param seeds of each job
    /// @param failing which of them fails; -1: none
    private record Round(long[] seeds, int failing, End end) {}

    /// A job has failed.
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final long code;

        Failed(long code) {
            super("as a test has it", null, false, false);
            this.code = code;
        }
    }

    private final long seed;
    private final int deep;
    private final boolean fails;
    private final boolean inlet;
    private transient long value;

    private RandomTree(long seed, int deep, boolean fails, boolean inlet) {
        this.seed = seed;
        this.deep = deep;
        this.fails = fails;
        this.inlet = inlet;
    }

    /// By jobs.
    static long spawned(long seed, int deep) {
        var tree = new RandomTree(seed, deep, false, false);
        Job.sync(Job.spawn(tree, null));
        return tree.value;
    }

    private static long mixed(long value, long other) {
        return (Long.rotateLeft(value, 7) ^ other) * 0x9e3779b97f4a7c15L;
    }

    private static long worked(long seed) {
        long value = seed;
        for (int i = 0; i < WORK; i++) {
            value = mixed(value, i);
        }
        return value;
    }

    private static Round round(Random random, int deep, boolean last, boolean fails) {
        var seeds = random.longs(deep == 0 ? 0 : random.nextInt(WIDEST + 1)).toArray();
        int failing = seeds.length == 0 ? -1 : random.nextInt(2 * seeds.length) - seeds.length;
        var end = End.values()[random.nextInt(2)];
        return failing >= 0 && last && fails
                ? new Round(seeds, failing, End.ONWARD)
                : new Round(seeds, Math.max(-1, failing), end);
    }

    /// What should come of it.
    static long model(long seed, int deep, boolean fails) {
        var random = new Random(seed);
        long value = worked(seed);
        int rounds = 1 + random.nextInt(2);
        for (int i = 1; i <= rounds; i++) {
            var round = round(random, deep, i == rounds, fails);
            if (round.failing() >= 0) {
                value = mixed(value, failure(round, deep));
            } else {
                for (long child : round.seeds()) {
                    value = mixed(value, model(child, deep - 1, false));
                }
            }
        }
        if (fails) {
            throw new Failed(seed);
        }
        return value;
    }

    private static long failure(Round round, int deep) {
        try {
            return model(round.seeds()[round.failing()], deep - 1, true);
        } catch (Failed failed) {
            if (round.end() == End.ONWARD) {
                throw failed;
            }
            return failed.code;
        }
    }

    @Override
    protected void run() {
        var random = new Random(seed);
        value = worked(seed);
        int rounds = 1 + random.nextInt(2);
        for (int i = 1; i <= rounds; i++) {
            play(round(random, deep, i == rounds, fails));
        }
        if (fails) {
            throw new Failed(seed);
        }
    }

    private void play(Round round) {
        Job last = null;
        var all = new RandomTree[round.seeds().length];
        for (int i = 0; i < all.length; i++) {
            boolean inlets = round.end() == End.INLET;
            all[i] = new RandomTree(round.seeds()[i], deep - 1, i == round.failing(), inlets);
            last = Job.spawn(all[i], last);
        }
        for (var job = Job.failed(last); job != null; job = Job.failed(last)) {
            if (!(job.taken() instanceof Failed failed)) {
                throw new IllegalStateException(job.taken());
            }
            value = mixed(value, failed.code);
            Job.abort(last);
        }
        try {
            Job.sync(last);
        } catch (Failed failed) {
            if (round.end() == End.ONWARD) {
                throw failed;
            }
            value = mixed(value, failed.code);
        }
        if (round.failing() < 0) {
            for (var one : all) {
                value = mixed(value, one.value);
            }
        }
    }

    @Override
    protected boolean hasInlet() {
        return inlet;
    }

    @Override
    protected Object result() {
        return value;
    }

    @Override
    protected void result(@Nullable Object came) {
        value = came instanceof Long number ? number : 0;
    }
}
