package org.ibidem.station;

import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The threads of the platform that a node's life costs.
@Tag("slow")
class LifeThreadsTest {
    private static final int LINKS = 200;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Map<NodeId, Contact> book = new ConcurrentHashMap<>();

    private NodeRuntime runtime(Threads threads) {
        var runtime = NodeRuntime.begun(Identity.create(), "test", false, book::get, threads);
        book.put(runtime.id(), runtime.contact());
        return runtime;
    }

    /// Half of them it has made itself.
    @Test
    void two_hundred_control_links_cost_no_more_threads_than_one() {
        try (var mine = new Threads("counted links");
                var theirs = new Threads("other links");
                var node = runtime(mine)) {
            try (var first = runtime(theirs)) {
                node.ping(first.id(), LONG);
                // Accepting on two addresses, time, and what drives the links.
                eventually("four threads", () -> platformThreads() == 4);
                for (int i = 1; i < LINKS; i++) {
                    var peer = runtime(theirs);
                    if (i % 2 == 0) {
                        node.ping(peer.id(), LONG);
                    } else {
                        peer.ping(node.id(), LONG);
                    }
                }
                eventually("the same four", () -> platformThreads() == 4);
            }
        }
    }

    private static long platformThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("counted links/"))
                .count();
    }
}
