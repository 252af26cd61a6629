package org.ibidem.lab.bench.satin;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.satin.Job;
import org.jspecify.annotations.Nullable;

/// An uneven tree of jobs whose leaves park instead of computing, so that four processes on two
/// cores are four that work. Its result is how long they have parked.
final class Parked extends Job {
    private static final long serialVersionUID = 1;
    private static final long LEAST_NANOS = 1_000_000;
    private static final int UNEVEN = 9;

    private final int leaves;
    private final long seed;
    private transient long nanos;

    private Parked(int leaves, long seed) {
        this.leaves = leaves;
        this.seed = seed;
    }

    /// A whole tree.
    ///
    /// @return nanoseconds that its leaves have parked together
    static long tree(int leaves, long seed) {
        var root = new Parked(leaves, seed);
        Job.sync(Job.spawn(root, null));
        return root.nanos;
    }

    @Override
    protected void run() {
        var random = new SplittableRandom(seed);
        if (leaves == 1) {
            long begin = System.nanoTime();
            long end = begin + LEAST_NANOS * (1 + random.nextInt(UNEVEN));
            for (long left = end - begin; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            nanos = System.nanoTime() - begin;
            return;
        }
        int some = 1 + random.nextInt(leaves - 1);
        var one = new Parked(some, random.nextLong());
        var other = new Parked(leaves - some, random.nextLong());
        Job.sync(Job.spawn(other, Job.spawn(one, null)));
        nanos = one.nanos + other.nanos;
    }

    @Override
    protected Object result() {
        return nanos;
    }

    @Override
    protected void result(@Nullable Object came) {
        nanos = came instanceof Long number ? number : 0;
    }
}
