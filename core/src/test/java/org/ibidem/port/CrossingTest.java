package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ibidem.Stacks;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedClass;

/// Nodes that connect to each other at the same moment.
@ParameterizedClass
@Stacks({"tcp", "shm", "loopback"})
@Timeout(120)
@Isolated("looks again and again, which others make slow")
class CrossingTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final PortType type;
    private final Pair pair = new Pair();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    CrossingTest(String stack) {
        this.type = PortType.oneToOne().stack(stack);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        pair.close();
    }

    @Test
    @Tag("slow")
    void two_nodes_that_connect_to_each_other_at_once_share_one_link() throws Exception {
        crossTwo(20);
    }

    @Test
    @Tag("slow")
    void so_they_do_however_often_they_try() throws Exception {
        crossTwo(type.stack().equals("tcp") ? 200 : 40);
    }

    private void crossTwo(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            cross(List.of(pair.runtime(), pair.runtime()), i);
        }
    }

    @Tag("slow")
    @Test
    void four_nodes_that_all_connect_to_all_at_once_have_one_link_a_pair() throws Exception {
        for (int i = 0; i < 10; i++) {
            cross(List.of(pair.runtime(), pair.runtime(), pair.runtime(), pair.runtime()), i);
        }
    }

    /// The port of one is there at once, that of the other only after both have begun to connect.
    @Test
    @Tag("slow")
    void nor_does_it_matter_when_the_receive_ports_are_opened() throws Exception {
        for (int i = 0; i < 10; i++) {
            var one = pair.runtime();
            var two = pair.runtime();
            try (var early = pair.receive(i % 2 == 0 ? one : two, type, "in");
                    var outOne = pair.send(one, type, "out");
                    var outTwo = pair.send(two, type, "out")) {
                var going =
                        List.of(
                                threads.submit(() -> outOne.connect(two.id(), "in", LIMIT)),
                                threads.submit(() -> outTwo.connect(one.id(), "in", LIMIT)));
                var first = going.get(i % 2 == 0 ? 1 : 0); // to the port that is there
                first.get();
                try (var late = pair.receive(i % 2 == 0 ? two : one, type, "in")) {
                    for (var each : going) {
                        each.get();
                    }
                    sendAndReceive(outOne, i % 2 == 0 ? late : early, i);
                    sendAndReceive(outTwo, i % 2 == 0 ? early : late, -i);
                    assertThat(one.channels().links()).isEqualTo(1);
                }
            }
            one.close();
            two.close();
        }
    }

    /// All connect to all, twice as many ports as pairs; then each sends to each.
    private void cross(List<NodeRuntime> nodes, int round) throws Exception {
        var ins = new ArrayList<ReceivePort>();
        var outs = new ArrayList<SendPort>();
        var barrier = new CyclicBarrier(nodes.size() * (nodes.size() - 1));
        var going = new ArrayList<Future<?>>();
        for (var from : nodes) {
            for (var to : nodes) {
                if (from.equals(to)) {
                    continue;
                }
                var name = "from " + from.id().brief();
                var in = pair.receive(to, type, name);
                var out = pair.send(from, type, "to " + to.id().brief());
                ins.add(in);
                outs.add(out);
                going.add(
                        threads.submit(() -> {
                            barrier.await();
                            out.connect(to.id(), name, LIMIT);
                            return null;
                        }));
            }
        }
        for (var each : going) {
            each.get();
        }
        for (int i = 0; i < ins.size(); i++) {
            sendAndReceive(outs.get(i), ins.get(i), round);
        }
        for (var node : nodes) {
            assertThat(node.channels().links())
                    .as("links of a node in round %d", round)
                    .isEqualTo(nodes.size() - 1);
        }
        nodes.forEach(NodeRuntime::close);
    }

    private static void sendAndReceive(SendPort out, ReceivePort in, int value) {
        try (var message = out.newMessage()) {
            message.writeInt(value).finish();
        }
        try (var message = in.receive()) {
            assertThat(message.readInt()).isEqualTo(value);
        }
    }
}
