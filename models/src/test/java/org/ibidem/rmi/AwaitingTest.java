package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.withinAMinute;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.RemoteMethod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a call waits for the calls of others.
@Timeout(60)
class AwaitingTest {
    private static final CallSettings LONG =
            new CallSettings(Duration.ofSeconds(50).toNanos(), false);
    private static final CallSettings OVER = new CallSettings(-1, false);

    private final Nodes nodes = new Nodes();
    private final ReentrantLock lock = new ReentrantLock();
    private final Semaphore places = new Semaphore(1);
    private Part part;
    private Peer peer;

    @BeforeEach
    void open() {
        part = new Part(nodes.node(), Rmi.Options.usual());
        peer = new Peer(part, part.node().id(), "calls");
    }

    @AfterEach
    void close() {
        peer.gone("the test is over");
        part.close();
        nodes.close();
    }

    private Calling call(CallSettings settings, boolean patient) throws NoSuchMethodException {
        var method = new RemoteMethod(Counter.class.getMethod("nothing"));
        var call = new Calling(peer, part, method, settings);
        call.patient(patient);
        return call;
    }

    /// Takes both, and gives them back.
    private void takes(Calling call) throws InterruptedException {
        assertThat(Awaiting.lock(lock, call)).isTrue();
        assertThat(lock.getHoldCount()).isEqualTo(1);
        lock.unlock();
        assertThat(Awaiting.take(places, call)).isTrue();
        assertThat(places.availablePermits()).isZero();
        places.release();
    }

    @Test
    void what_is_free_is_taken_at_once_while_there_is_time() throws Exception {
        takes(call(LONG, false));
        takes(call(OVER, false)); // nobody is waited for
        takes(call(CallSettings.USUAL, false));
        takes(call(CallSettings.USUAL, true));
    }

    @Test
    void what_others_have_is_waited_for_no_longer_than_the_call_has_time() throws Exception {
        places.acquire();
        var held = new CompletableFuture<Void>();
        var end = new CompletableFuture<Void>();
        var other =
                Thread.ofVirtual()
                        .start(() -> {
                            lock.lock();
                            try {
                                held.complete(null);
                                end.join();
                            } finally {
                                lock.unlock();
                            }
                        });
        held.join();
        assertThat(Awaiting.lock(lock, call(OVER, true))).isFalse();
        assertThat(Awaiting.take(places, call(OVER, true))).isFalse();
        for (var settings : new CallSettings[] {LONG, CallSettings.USUAL}) {
            for (boolean patient : new boolean[] {false, true}) {
                waits(call(settings, patient));
            }
        }
        var mine = call(LONG, false);
        var taken = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> taken.complete(locked(mine)));
        withinAMinute("it waits for the lock", lock::hasQueuedThreads);
        end.complete(null);
        assertThat(taken.join()).isTrue();
        other.join();
    }

    private boolean locked(Calling call) {
        try {
            return Awaiting.lock(lock, call) && lock.isHeldByCurrentThread();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// It is there when the place is given back, and not before.
    private void waits(Calling call) throws InterruptedException {
        var taken = new CompletableFuture<Boolean>();
        var waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                taken.complete(Awaiting.take(places, call));
                            } catch (InterruptedException e) {
                                taken.completeExceptionally(e);
                            }
                        });
        withinAMinute("it waits for a place", () -> places.hasQueuedThreads() || taken.isDone());
        assertThat(taken).isNotDone();
        places.release();
        assertThat(taken.join()).isTrue();
        waiting.join();
        assertThat(places.availablePermits()).as("it has it now").isZero();
    }

    @Test
    void an_interrupt_ends_the_wait_of_who_is_not_patient() throws Exception {
        for (var settings : new CallSettings[] {LONG, CallSettings.USUAL}) {
            var call = call(settings, false);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Awaiting.lock(lock, call))
                    .isInstanceOf(InterruptedException.class);
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> Awaiting.take(places, call))
                    .isInstanceOf(InterruptedException.class);
        }
        Thread.currentThread().interrupt();
        takes(call(CallSettings.USUAL, true));
        assertThat(Thread.interrupted()).as("for later").isTrue();
    }
}
