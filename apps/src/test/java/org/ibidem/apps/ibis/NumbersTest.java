package org.ibidem.apps.ibis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is given out once: pieces of work, numbers, and the numbers of messages.
@Timeout(60)
class NumbersTest {
    private static final Duration LONG = Duration.ofSeconds(40);
    private static final PortType TOTAL = PortType.manyToMany().with(Capability.TOTAL);
    private static final PortType NUMBERED = PortType.oneToOne().with(Capability.NUMBERED);
    private static final int EACH = 20;

    @Test
    @Tag("slow")
    void each_piece_of_work_is_done_by_one_worker() throws Exception {
        try (var pool = new Pool(3)) {
            var done =
                    pool.run(
                            3,
                            node -> {
                                // Else who comes when the first has left is the first again.
                                assertThat(node.awaitClosed(LONG)).isTrue();
                                if (node.rank() == 0) {
                                    node.tokens().add("work", 30);
                                    node.tokens().add("may begin", 3);
                                }
                                assertThat(node.tokens().take("may begin", LONG)).isTrue();
                                var mine = new ArrayList<Long>();
                                while (node.tokens().take("work")) {
                                    mine.add(node.sequences().next("piece"));
                                }
                                return mine;
                            });
            assertThat(done.stream().flatMap(List::stream))
                    .containsExactlyInAnyOrderElementsOf(LongStream.range(0, 30).boxed().toList());
        }
    }

    @Test
    void messages_of_a_numbered_port_are_counted() throws Exception {
        try (var pool = new Pool(2)) {
            var numbers =
                    pool.run(
                            2,
                            node -> {
                                assertThat(node.awaitClosed(LONG)).isTrue();
                                return node.rank() == 0
                                        ? read(node, NUMBERED, EACH)
                                        : say(node, NUMBERED, 0);
                            });
            var said = IntStream.range(0, EACH).mapToObj(i -> i + ": 1 says " + i).toList();
            assertThat(numbers.stream().flatMap(List::stream)).containsExactlyElementsOf(said);
        }
    }

    /// As totally ordered multicast: what was numbered in the hub is put in that order.
    @Test
    @Tag("slow")
    void two_who_hear_two_others_put_their_words_in_one_order() throws Exception {
        try (var pool = new Pool(4)) {
            var heard =
                    pool.run(
                            4,
                            node -> {
                                assertThat(node.awaitClosed(LONG)).isTrue();
                                return node.rank() < 2
                                        ? read(node, TOTAL, 2 * EACH)
                                        : say(node, TOTAL, 0, 1);
                            });
            var full = heard.stream().filter(list -> !list.isEmpty()).toList();
            assertThat(full).hasSize(2).containsOnly(full.getFirst());
            assertThat(full.getFirst()).hasSize(2 * EACH);
        }
    }

    private static List<String> say(Node node, PortType type, int... ranks) {
        try (var out = SendPort.open(node, type, "out")) {
            for (int rank : ranks) {
                out.connect(node.member(rank).orElseThrow().id(), "in");
            }
            for (int i = 0; i < EACH; i++) {
                try (var message = out.newMessage()) {
                    message.writeString(node.rank() + " says " + i).finish();
                }
            }
        }
        return List.of();
    }

    private static List<String> read(Node node, PortType type, int count) {
        var inOrder = new TreeMap<Long, String>();
        try (var in = ReceivePort.open(node, type, "in")) {
            while (inOrder.size() < count) {
                try (var message = in.receive()) {
                    inOrder.put(message.sequenceNumber(), message.readString());
                }
            }
        }
        return inOrder.entrySet().stream()
                .map(one -> one.getKey() + ": " + one.getValue())
                .toList();
    }
}
