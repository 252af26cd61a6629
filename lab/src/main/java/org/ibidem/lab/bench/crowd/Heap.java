package org.ibidem.lab.bench.crowd;

import java.lang.management.ManagementFactory;

/// What is alive on the heap of this process.
final class Heap {
    private static final int TIMES = 3;

    private Heap() {}

    /// Bytes after collections.
    static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TIMES; i++) {
            System.gc();
            var memory = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            least = Math.min(least, memory.getUsed());
        }
        return least;
    }
}
