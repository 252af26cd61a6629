package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Senders that use a port for one sender by turns: each connects, sends, and disconnects, again
/// and again.
@Timeout(60)
class ReconnectTest {
    private static final PortType TYPE = PortType.oneToOne();
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final int TURNS = 20;
    private static final int SENDERS = 3;

    @Test
    @Tag("slow")
    void a_port_for_one_sender_has_many_by_turns() throws Exception {
        try (var pool = new Pool(1 + SENDERS)) {
            var heard = pool.run(1 + SENDERS, ReconnectTest::program);
            assertThat(heard).containsOnlyOnce(Map.of(1, TURNS, 2, TURNS, 3, TURNS));
        }
    }

    private static Map<Integer, Integer> program(Node node) {
        assertThat(node.awaitClosed(LONG)).isTrue();
        return node.rank() == 0 ? receive(node) : send(node, node.member(0).orElseThrow().id());
    }

    /// Messages of one turn are never among those of another.
    private static Map<Integer, Integer> receive(Node node) {
        var turns = new HashMap<Integer, Integer>();
        try (var in = ReceivePort.open(node, TYPE, "in")) {
            for (int turn = 0; turn < SENDERS * TURNS; turn++) {
                int who = number(in);
                assertThat(List.of(number(in), number(in))).containsExactly(who, who);
                turns.merge(who, 1, Integer::sum);
            }
        }
        return turns;
    }

    private static int number(ReceivePort in) {
        try (var message = in.receive()) {
            return message.readInt();
        }
    }

    private static Map<Integer, Integer> send(Node node, NodeId to) {
        try (var out = SendPort.open(node, TYPE, "out")) {
            for (int turn = 0; turn < TURNS; turn++) {
                connect(out, to);
                for (int i = 0; i < 3; i++) {
                    try (var message = out.newMessage()) {
                        message.writeInt(node.rank()).finish();
                    }
                }
                out.disconnect();
            }
        }
        return Map.of();
    }

    /// A port that is taken says so at once; who wants to have it next asks again.
    private static void connect(SendPort out, NodeId to) {
        while (out.connections().isEmpty()) {
            try {
                out.connect(to, "in");
            } catch (ConnectRefused e) {
                assertThat(e.why()).isEqualTo(ConnectRefused.Why.OCCUPIED);
                Thread.onSpinWait();
            }
        }
    }
}
