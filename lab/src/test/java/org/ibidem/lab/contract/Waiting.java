package org.ibidem.lab.contract;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOverAll;

/// How a thread waits for one side of a link: by looking again and again, or asleep until it is
/// woken.
final class Waiting implements AutoCloseable {
    /// A machine that stands still for some seconds has lost no wake-up.
    private static final Duration LIMIT = Duration.ofSeconds(50);

    private final Waitable sleepy;
    private final Selector selector;
    private final AtomicInteger sleeps = new AtomicInteger();
    private volatile boolean sleeping;

    /// Waits for `part`, asleep if it can.
    ///
    /// @param part a source or a sink
    Waiting(Object part) throws IOException {
        sleepy = Waitable.of(part);
        selector = Selector.open();
        sleepy.bell(selector::wakeup);
        for (var each : WaitableOverAll.channels(sleepy)) {
            var channel = each.channel();
            if (channel != null) {
                channel.register(selector, each.interest());
            }
        }
    }

    /// Looks until `found`.
    static void looking(BooleanSupplier found) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!found.getAsBoolean()) {
            Thread.yield();
            if (System.nanoTime() > end) {
                throw new AssertionError("waited " + LIMIT.toSeconds() + " s in vain");
            }
        }
    }

    /// Sleeps until `found`; a sleep of many seconds is a wake-up that was lost.
    void asleep(BooleanSupplier found) throws IOException {
        while (!found.getAsBoolean()) {
            var armed = sleepy.arm();
            if (armed == Armed.READY) {
                sleepy.disarm();
                continue;
            }
            sleeps.incrementAndGet();
            long from = System.nanoTime();
            if (found.getAsBoolean()) {
                sleepy.disarm();
                return;
            }
            sleeping = true;
            if (armed == Armed.SLEEP
                    || (selector.select(_ -> {}, 1) == 0 && sleepy.arm() != Armed.READY)) {
                selector.select(_ -> {}, LIMIT.toMillis());
            }
            sleeping = false;
            sleepy.disarm();
            if (System.nanoTime() - from >= LIMIT.toNanos()) {
                throw new AssertionError("nobody rang, for " + LIMIT.toSeconds() + " s");
            }
        }
    }

    /// How often it was about to sleep; any thread may ask.
    int sleeps() {
        return sleeps.get();
    }

    /// Whether it sleeps, or is about to or has just been woken.
    boolean sleeping() {
        return sleeping;
    }

    @Override
    public void close() throws IOException {
        selector.close();
    }
}
