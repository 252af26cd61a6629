package org.ibidem.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads of both kinds that wait for a lock; `BusyCarriersTest` has a virtual one that cannot
/// run.
@Timeout(60)
class BargingLockTest {
    private final BargingLock lock = new BargingLock();

    /// Takes the lock and gives it back; answers whether it was interrupted meanwhile.
    private CompletableFuture<Boolean> taking(boolean virtual, CompletableFuture<Thread> thread) {
        var taken = new CompletableFuture<Boolean>();
        var builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
        thread.complete(
                builder.start(() -> {
                    lock.lock();
                    try {
                        taken.complete(Thread.currentThread().isInterrupted());
                    } finally {
                        lock.unlock();
                    }
                }));
        return taken;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void who_waits_gets_it_when_it_is_given_back_and_not_before(boolean virtual) throws Exception {
        var thread = new CompletableFuture<Thread>();
        CompletableFuture<Boolean> taken;
        lock.lock();
        try {
            taken = taking(virtual, thread);
            eventually("it waits", () -> lock.hasQueuedThread(thread.join()));
            assertThat(taken).isNotDone();
        } finally {
            lock.unlock();
        }
        assertThat(taken.get(20, TimeUnit.SECONDS)).as("interrupted").isFalse();
        thread.join().join();
        assertThat(lock.isLocked()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void who_is_interrupted_as_it_waits_waits_on_and_stays_interrupted(boolean virtual)
            throws Exception {
        var thread = new CompletableFuture<Thread>();
        CompletableFuture<Boolean> taken;
        lock.lock();
        try {
            taken = taking(virtual, thread);
            eventually("it waits", () -> lock.hasQueuedThread(thread.join()));
            thread.join().interrupt();
            eventually("it waits again", () -> lock.hasQueuedThread(thread.join()));
            assertThat(taken).isNotDone();
        } finally {
            lock.unlock();
        }
        assertThat(taken.get(20, TimeUnit.SECONDS)).as("interrupted").isTrue();
    }

    @Test
    void who_has_it_may_take_it_again() {
        lock.lock();
        try {
            lock.lock();
            try {
                assertThat(lock.getHoldCount()).isEqualTo(2);
            } finally {
                lock.unlock();
            }
            assertThat(lock.isHeldByCurrentThread()).isTrue();
        } finally {
            lock.unlock();
        }
        assertThat(lock.isLocked()).isFalse();
    }
}
