package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.ibidem.port.Capability;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One port whose messages go to several. Who came and went is asked for, by downcalls.
@Timeout(60)
class OneToManyTest {
    private static final PortType TYPE = PortType.oneToMany().with(Capability.CONNECTION_DOWNCALLS);
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int READERS = 3;
    private static final int PAGES = 20;

    @Test
    void every_reader_gets_every_page_and_knows_who_came_and_went() throws Exception {
        try (var pool = new Pool(1 + READERS)) {
            int sum = PAGES * (PAGES - 1) / 2;
            assertThat(pool.run(1 + READERS, OneToManyTest::program))
                    .containsExactlyInAnyOrder(0, sum, sum, sum);
        }
    }

    private static int program(Node node) {
        assertThat(node.awaitClosed(LONG)).isTrue();
        var writer = node.member(0).orElseThrow().id();
        return node.rank() == 0 ? write(node) : read(node, writer);
    }

    private static int write(Node node) {
        try (var out = SendPort.open(node, TYPE, "press")) {
            var readers =
                    node.members().stream()
                            .filter(member -> member.rank() != 0)
                            .map(member -> new Target(member.id(), "letterbox"))
                            .toList();
            assertThat(out.connect(readers, LONG).orThrow().reached()).hasSize(READERS);
            for (int page = 0; page < PAGES; page++) {
                try (var message = out.newMessage()) {
                    message.writeInt(page).writeArray(new double[page]).finish();
                }
            }
            assertThat(out.lostConnections()).isEmpty();
        }
        return 0;
    }

    private static int read(Node node, NodeId writer) {
        try (var in = ReceivePort.open(node, TYPE, "letterbox")) {
            int sum = 0;
            for (int i = 0; i < PAGES; i++) {
                try (var message = in.receive()) {
                    int page = message.readInt();
                    message.readArray(new double[page]);
                    sum += page;
                }
            }
            assertThat(in.newConnections()).containsExactly(new Origin(writer, "press"));
            for (var gone = in.lostConnections(); gone.isEmpty(); gone = in.lostConnections()) {
                assertThat(in.poll()).as("a page too many").isNull();
            }
            return sum;
        }
    }
}
