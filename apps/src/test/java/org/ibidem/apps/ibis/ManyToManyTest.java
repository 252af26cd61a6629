package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.Target;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each member has a port that sends to all, itself among them, and one that hears all.
@Timeout(60)
class ManyToManyTest {
    private static final PortType TYPE = PortType.manyToMany();
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int MEMBERS = 4;

    @Test
    @Tag("slow")
    void everybody_hears_everybody() throws Exception {
        try (var pool = new Pool(MEMBERS)) {
            assertThat(pool.run(MEMBERS, ManyToManyTest::talk))
                    .hasSize(MEMBERS)
                    .allMatch(List.of(0, 1, 2, 3)::equals);
        }
    }

    private static List<Integer> talk(Node node) {
        assertThat(node.awaitClosed(LONG)).isTrue();
        try (var in = ReceivePort.open(node, TYPE, "ears");
                var out = SendPort.open(node, TYPE, "mouth")) {
            var all = node.members().stream().map(member -> new Target(member.id(), "ears"));
            out.connect(all.toList(), LONG).orThrow();
            try (var message = out.newMessage()) {
                message.writeInt(node.rank()).finish();
            }
            var heard = new ArrayList<Integer>();
            while (heard.size() < MEMBERS) {
                try (var message = in.receive()) {
                    heard.add(message.readInt());
                }
            }
            assertThat(node.tokens().add("have heard", 1)).isPositive();
            while (node.tokens().count("have heard") < MEMBERS) {
                Thread.onSpinWait(); // who closes its port earlier takes words from others
            }
            return heard.stream().sorted().toList();
        }
    }
}
