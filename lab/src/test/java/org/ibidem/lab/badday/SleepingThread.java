package org.ibidem.lab.badday;

import static org.ibidem.Eventually.withinAMinute;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// A thread that waits for a stream, and what comes of it.
final class SleepingThread {
    private static final int LOOKS = 20;

    /// In what a thread of the JVM sleeps: a selector, and a lock of any kind.
    private static final Set<String> SLEEPS =
            Set.of("sun.nio.ch.EPoll", "jdk.internal.misc.Unsafe");

    private final CompletableFuture<Object> outcome = new CompletableFuture<>();
    private final Thread thread;
    private final String name;

    /// @param waits gives what it has waited for
    SleepingThread(String name, Callable<?> waits) {
        this.name = name;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name(name)
                        .start(() -> {
                            try {
                                outcome.complete(waits.call());
                            } catch (Throwable e) {
                                outcome.complete(e);
                            }
                        });
    }

    /// Waits until all of them sleep for longer than it takes to look twenty times.
    static void awaitAsleep(List<SleepingThread> all) {
        var looks = new AtomicInteger();
        withinAMinute(
                "these sleep: " + all,
                () ->
                        (all.stream().allMatch(SleepingThread::isAsleep)
                                        ? looks.incrementAndGet()
                                        : looks.getAndSet(0))
                                > LOOKS);
    }

    private boolean isAsleep() {
        var stack = thread.getStackTrace();
        return stack.length > 0 && SLEEPS.contains(stack[0].getClassName());
    }

    boolean isOver() {
        return outcome.isDone();
    }

    /// What it has returned or thrown.
    ///
    /// @param millis how long it may take
    Object outcome(long millis) throws Exception {
        try {
            return outcome.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            var stuck = new AssertionError("'" + name + "' still waits", e);
            stuck.setStackTrace(thread.getStackTrace());
            throw stuck;
        }
    }

    /// The same as far as it is known.
    String said() {
        return String.valueOf(outcome.getNow("waits"));
    }

    @Override
    public String toString() {
        return name;
    }
}
