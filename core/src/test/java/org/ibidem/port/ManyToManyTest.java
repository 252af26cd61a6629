package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/// Several send ports, each to several receive ports.
@Timeout(60)
class ManyToManyTest {
    private static final int COUNT = 100;

    @ParameterizedTest
    @Tag("slow")
    @Stacks({"loopback", "shm", "tcp", "auto"})
    void everybody_hears_everybody(String stack) throws Exception {
        var type = PortType.manyToMany().stack(stack);
        try (var pair = new Pair()) {
            var nodes = List.of(pair.here, pair.there, pair.runtime(), pair.runtime());
            var ins = new ArrayList<ReceivePort>();
            var outs = new ArrayList<SendPort>();
            for (var node : nodes) {
                ins.add(pair.receive(node, type, "in"));
                outs.add(pair.send(node, type, "out"));
            }
            var all = nodes.stream().map(NodeRuntime::id).map(id -> new Target(id, "in")).toList();
            for (var out : outs) {
                out.connect(all, java.time.Duration.ofSeconds(20)).orThrow();
            }
            var readers = ins.stream().map(in -> Background.run(() -> read(in, 4))).toList();
            var writers = outs.stream().map(out -> Background.run(() -> write(out))).toList();
            for (var each : writers) {
                each.get();
            }
            for (var each : readers) {
                each.get();
            }
            nodes.subList(2, 4).forEach(NodeRuntime::close);
        }
    }

    private static void write(SendPort out) {
        for (int i = 0; i < COUNT; i++) {
            try (var message = out.newMessage()) {
                message.writeInt(i).writeArray(new int[i * 37]).finish();
            }
        }
    }

    private static void read(ReceivePort in, int senders) {
        var next = new HashMap<Origin, Integer>();
        for (int i = 0; i < COUNT * senders; i++) {
            try (var message = in.receive()) {
                int expected = next.merge(message.origin(), 1, Integer::sum) - 1;
                assertThat(message.readInt()).isEqualTo(expected);
                message.readArray(new int[expected * 37]);
            }
        }
        assertThat(next).hasSize(senders);
    }

    @Test
    void a_type_for_one_receiver_refuses_a_second() {
        var type = PortType.manyToOne();
        try (var pair = new Pair();
                var one = pair.receive(pair.there, type, "one");
                var two = pair.receive(pair.there, type, "two");
                var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), "one");
            assertThat(
                            org.assertj.core.api.Assertions.catchThrowable(
                                    () -> out.connect(pair.there.id(), "two")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("connected to port 'one'");
            assertThat(one.type()).isEqualTo(two.type());
        }
    }
}
