package org.ibidem.rmi;

import java.util.concurrent.TimeUnit;

/// How long a method takes, as its last runs say. Threads may overwrite each other's word: then it
/// is found out a few calls later.
final class Length {
    private static final long SHORT = TimeUnit.MICROSECONDS.toNanos(50);

    /// Short runs in a row after which it counts as short.
    private static final int ENOUGH = 3;

    /// Short runs that it takes, besides, after a longer one.
    private static final int PENANCE = 16;

    private volatile int row;

    /// Whether handing it to another thread would take about as long as running it.
    boolean isShort() {
        return row >= ENOUGH;
    }

    void ran(long nanos) {
        int before = row;
        if (nanos > SHORT) {
            row = -PENANCE;
        } else if (before < ENOUGH) {
            row = before + 1;
        }
    }
}
