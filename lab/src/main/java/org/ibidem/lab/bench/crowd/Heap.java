package org.ibidem.lab.bench.crowd;

import java.lang.management.ManagementFactory;

/// What is alive on the heap of this process.
final class Heap {
    private static final int MOST_TIMES = 40;
    private static final int STILL = 3;
    private static final long PAUSE_MILLIS = 50;
    private static final double NEWS = 0.995;

    private Heap() {}

    /// Bytes after collections. Nodes that have left still end their tasks for a while: it is
    /// looked at until it gets less no more.
    static long used() throws InterruptedException {
        long least = Long.MAX_VALUE;
        int still = 0;
        for (int i = 0; i < MOST_TIMES && still < STILL; i++) {
            System.gc();
            long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            still = now < least * NEWS ? 0 : still + 1;
            least = Math.min(least, now);
            Thread.sleep(PAUSE_MILLIS);
        }
        return least;
    }
}
