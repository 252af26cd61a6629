package org.ibidem.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        hub.close();
    }
}
