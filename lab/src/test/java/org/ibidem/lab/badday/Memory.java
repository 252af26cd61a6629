package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/// The memory of this process: heap after collections, and buffers outside the heap.
final class Memory {
    private static final long MOST_GROWTH = 8 << 20;

    private final long heap = heap();
    private final long outside = outside();

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long outside() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /// Fails when it grew since this was made by more than a few buffers.
    void requireFlat() {
        assertThat(heap() - heap).as("growth of the heap").isLessThan(MOST_GROWTH);
        assertThat(outside() - outside)
                .as("growth of buffers outside the heap")
                .isLessThan(MOST_GROWTH);
    }
}
