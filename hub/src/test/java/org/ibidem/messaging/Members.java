package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A hub and some members of one pool, all in this JVM.
final class Members implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final List<Node> nodes = new ArrayList<>();

    Members(int count) {
        for (int i = 0; i < count; i++) {
            join();
        }
    }

    Node join() {
        var node = Node.join(Join.pool("messaging").hub("localhost:" + hub.port()));
        nodes.add(node);
        return node;
    }

    Node get(int index) {
        return nodes.get(index);
    }

    /// Runs it on a thread of its own.
    static <T> CompletableFuture<T> start(Callable<T> body) {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        result.complete(body.call());
                    } catch (Exception | AssertionError e) {
                        result.completeExceptionally(e);
                    }
                });
        return result;
    }

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void eventually(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("waited until %s", what).isNegative();
            LockSupport.parkNanos(200_000);
        }
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        hub.close();
    }
}
