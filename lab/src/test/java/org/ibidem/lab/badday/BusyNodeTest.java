package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.Hub;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.rmi.Rmi;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A node whose ports, remote objects and jobs compute on all carriers of virtual threads, while it
/// serves programs with an agent.
@Tag("lab")
@Timeout(300)
class BusyNodeTest {
    /// Who says nothing is suspected after three seconds, and dead a second later.
    private static final Duration BEAT = Duration.ofSeconds(1);

    private static final Duration BUSY =
            Boolean.getBoolean("ibidem.full") ? Duration.ofMinutes(2) : Duration.ofSeconds(20);

    @TempDir Path folder;

    private final CountDownLatch suspected = new CountDownLatch(1);

    @Test
    void a_node_lives_while_upcalls_calls_and_jobs_hold_all_carriers() throws Exception {
        var options =
                Hub.Options.DEFAULT
                        .port(0)
                        .bounds(Bounds.DEFAULT.suspicion(BEAT).silence(BEAT, BEAT.multipliedBy(3)));
        try (var hub = Hub.start(options);
                var busy = program(hub.port());
                var node = Node.join(Join.pool("busy").hub("localhost:" + hub.port()))) {
            var id = NodeId.parse(busy.said("ready"));
            node.awaitMembers(2, Other.LONG);
            node.events(event -> {
                if (event instanceof PoolEvent.Suspected || event instanceof PoolEvent.Died) {
                    suspected.countDown();
                }
            });
            keepBusy(busy, node, id);
        }
    }

    private Other program(int hub) throws Exception {
        return Other.program(
                BusyProgram.class,
                List.of(
                        "-Djdk.virtualThreadScheduler.parallelism=" + BusyProgram.CARRIERS,
                        "-Djdk.virtualThreadScheduler.maxPoolSize=" + BusyProgram.CARRIERS,
                        "-Dibidem.heartbeat=1s"),
                String.valueOf(hub),
                folder.toString());
    }

    private void keepBusy(Other busy, Node node, NodeId id) throws Exception {
        try (var rmi = Rmi.open(node, Rmi.Options.usual().stack("tcp"));
                var out = SendPort.open(node, BusyProgram.TYPE, "out")) {
            var object = (BusyProgram.Computes) rmi.names().lookup("object");
            out.connect(id, "in");
            busy.said("busy"); // the job
            rmi.oneWay(object).compute();
            busy.said("busy");
            out.newMessage().finish();
            busy.said("busy");
            assertThat(suspected.await(BUSY.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
            busy.end();
            assertThat(busy.said("carriers")).isEqualTo("held");
            assertThat(busy.said("node")).isEqualTo("alive");
            out.newMessage().finish();
            assertThat(node.contact(id)).isPresent();
        }
    }
}
