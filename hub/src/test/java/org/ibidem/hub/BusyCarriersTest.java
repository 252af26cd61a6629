package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Nodes whose programs hold all carriers of virtual threads.
@Tag("slow")
@Timeout(300)
class BusyCarriersTest {
    /// A node that says nothing is suspected after three seconds, and dead a second later.
    private static final Duration BEAT = Duration.ofSeconds(1);

    private static final Duration BUSY =
            Boolean.getBoolean("ibidem.full") ? Duration.ofMinutes(2) : Duration.ofSeconds(8);

    @ParameterizedTest(name = "{0}, open to others: {1}")
    @CsvSource({"UPCALL, false", "COMPUTING, true", "PINNED, true"})
    void a_node_lives_on_while_its_program_holds_all_carriers(BusyNode.Work work, boolean open)
            throws Exception {
        var options =
                Hub.Options.DEFAULT.bounds(
                        Bounds.DEFAULT.suspicion(BEAT).silence(BEAT, BEAT.multipliedBy(3)));
        try (var hub = Hub.start(options);
                var busy = new BusyNode(hub.port(), open, work);
                var watcher = Node.join(Join.pool("busy").hub("localhost:" + hub.port()));
                var out = SendPort.open(watcher, BusyNode.TYPE, "out")) {
            var gone = new CountDownLatch(1);
            watcher.events(event -> {
                if (event instanceof PoolEvent.Suspected || event instanceof PoolEvent.Died) {
                    gone.countDown();
                }
            });
            watcher.awaitMembers(2, Duration.ofSeconds(30));
            var id =
                    watcher.members().stream()
                            .map(member -> member.id())
                            .filter(member -> !member.equals(watcher.id()))
                            .findFirst()
                            .orElseThrow();
            out.connect(id, "in");
            busy.begin();
            if (work == BusyNode.Work.UPCALL) {
                out.newMessage().finish();
            }
            busy.awaitBusy();
            assertThat(gone.await(BUSY.toMillis(), TimeUnit.MILLISECONDS))
                    .as("the node was suspected")
                    .isFalse();
            assertThat(busy.end()).isEqualTo("alive");
            out.newMessage().finish(); // the connection is there, too
            assertThat(watcher.members()).hasSize(2);
        }
    }
}
