package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Stacks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;

/// Whose thread an upcall is, and what it leaves behind.
@ParameterizedClass
@Stacks({"loopback", "shm", "tcp"})
@Timeout(60)
class UpcallThreadsTest {
    private final PortType type;
    private final Pair pair = new Pair();
    private final List<Integer> got = new CopyOnWriteArrayList<>();

    UpcallThreadsTest(String stack) {
        this.type =
                PortType.oneToOne()
                        .stack(stack)
                        .with(Capability.UPCALLS, Capability.POLLED_UPCALLS);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private SendPort sender() {
        var out = pair.send(pair.here, type, "out");
        out.connect(pair.there.id(), "in");
        return out;
    }

    private static void send(SendPort out, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
    }

    @Test
    void a_polled_handler_that_closes_its_message_lets_the_next_begin() throws Exception {
        var closed = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var in =
                pair.receive(
                        pair.there,
                        type,
                        "in",
                        ReceiveSetup.USUAL.polledUpcall(message -> {
                            got.add(message.readInt());
                            message.close();
                            if (got.size() == 1) {
                                closed.countDown();
                                await(goOn);
                            }
                        }));
        var out = sender();
        send(out, 1);
        send(out, 2);
        var first =
                CompletableFuture.runAsync(
                        () -> eventually("the first is there", in::runUpcall),
                        Thread::startVirtualThread);
        closed.await();
        eventually("the second is there", in::runUpcall);
        assertThat(got).containsExactly(1, 2);
        goOn.countDown();
        first.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_handler_that_leaves_its_thread_interrupted_gets_the_next_message_too() {
        MessageUpcall upcall =
                message -> {
                    got.add(message.readInt());
                    Thread.currentThread().interrupt();
                };
        var setup = ReceiveSetup.USUAL.upcall(upcall);
        assertThat(pair.receive(pair.there, type, "in", setup).isClosed()).isFalse();
        var out = sender();
        for (int i = 0; i < 3; i++) {
            int next = i;
            send(out, next);
            eventually("it has come", () -> got.contains(next));
        }
        assertThat(got).containsExactly(0, 1, 2);
    }

    /// What it still does is nobody's business: neither the next message's nor its thread's.
    @Test
    void a_handler_that_returns_after_the_next_has_begun_leaves_that_one_alone() {
        var first = new CompletableFuture<Thread>();
        var second = new CountDownLatch(1);
        MessageUpcall upcall =
                message -> {
                    int number = message.readInt();
                    if (number == 1) {
                        first.complete(Thread.currentThread());
                        message.close();
                        second.await();
                    } else if (number == 2) {
                        second.countDown();
                        first.join().join();
                    }
                    got.add(number);
                };
        var in = pair.receive(pair.there, type, "in", ReceiveSetup.USUAL.upcall(upcall));
        var out = sender();
        send(out, 1);
        send(out, 2);
        send(out, 3);
        eventually("all are served", () -> got.equals(List.of(1, 2, 3)));
        assertThat(in.isClosed()).isFalse();
    }
}
