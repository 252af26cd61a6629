package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.ibidem.hub.Hub;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Connections that are made and ended as fast as they can be, by several at a time, over shared
/// memory of a bounded size.
@Tag("lab")
class StormTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = Boolean.getBoolean("ibidem.full") ? 2_000 : 100;
    private static final int NODES = Boolean.getBoolean("ibidem.full") ? 200 : 20;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));

    private Node join() {
        return Node.join(Join.pool("demo").hub("localhost:" + hub.port()));
    }

    @Test
    @Timeout(300)
    void ports_that_connect_and_disconnect_without_end_lose_nothing_and_leave_nothing()
            throws Exception {
        var type = PortType.manyToOne().stack("shm");
        try (var folder = Tmpfs.of("16m");
                var here = join();
                var there = join();
                var in = ReceivePort.open(there, type, "in")) {
            var storms =
                    IntStream.range(0, THREADS)
                            .mapToObj(i ->
                                    CompletableFuture.runAsync(
                                            () -> storm(here, there, type, i),
                                            Thread::startVirtualThread))
                            .toList();
            var got = new HashSet<Integer>();
            for (int i = 0; i < THREADS * ROUNDS; i++) {
                try (var message = in.receive()) {
                    // Each comes over a connection of its own: there is no order among them.
                    assertThat(got.add(message.readInt() * ROUNDS + message.readInt())).isTrue();
                }
            }
            assertThat(got).hasSize(THREADS * ROUNDS);
            storms.forEach(CompletableFuture::join);
            withinAMinute(
                    "all have gone",
                    () -> {
                        assertThat(in.poll()).as("more than was said").isNull();
                        return in.connections().isEmpty();
                    });
            assertThat(folder.files()).isEmpty();
        } finally {
            hub.close();
        }
    }

    private static void storm(Node here, Node there, PortType type, int who) {
        for (int i = 0; i < ROUNDS; i++) {
            try (var out = SendPort.open(here, type, "out " + who)) {
                out.connect(there.id(), "in");
                try (var message = out.newMessage()) {
                    message.writeInt(who).writeInt(i).finish();
                }
            }
        }
    }

    /// Each brings a segment that only the end of its node gives back.
    @Test
    @Timeout(300)
    void nodes_that_come_and_go_do_not_pile_up_memory() throws Exception {
        var type = PortType.manyToOne().stack("shm");
        try (var folder = Tmpfs.of("64m");
                var there = join();
                var in = ReceivePort.open(there, type, "in")) {
            List<String> seen = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                try (var here = join();
                        var out = SendPort.open(here, type, "out")) {
                    out.connect(there.id(), "in");
                    try (var message = out.newMessage()) {
                        message.writeString("node " + i).finish();
                    }
                    try (var message = in.receive()) {
                        seen.add(message.readString());
                    }
                }
            }
            assertThat(seen).hasSize(NODES);
            withinAMinute(
                    "memory is given back",
                    () -> {
                        System.gc(); // mappings go with their last reference
                        return folder.used() < 1_000_000;
                    });
        } finally {
            hub.close();
        }
    }
}
