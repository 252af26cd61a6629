package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PeerRoomTest {
    private static final NodeId ONE = NodeId.parse("01".repeat(16));
    private static final NodeId TWO = NodeId.parse("02".repeat(16));

    private final List<String> said = new ArrayList<>();
    private final PeerRoom room = new PeerRoom(2, "connections are carried; more wait", said::add);

    @Test
    void a_peer_that_has_all_it_may_have_takes_nothing_of_another_and_it_is_said_once() {
        for (var taken : List.of(true, true, false, false)) {
            assertThat(room.tryTake(ONE)).isEqualTo(taken);
        }
        assertThat(room.tryTake(TWO)).isTrue();
        assertThat(said)
                .containsExactly(
                        "at most 2 connections are carried; more wait: node %s has reached that"
                                .formatted(ONE));
    }

    @Test
    void one_that_waits_gets_the_next_place() throws Exception {
        room.take(ONE);
        room.take(ONE);
        var waits = CompletableFuture.runAsync(() -> room.take(ONE));
        room.give(TWO); // which has none
        room.give(ONE);
        waits.get(60, TimeUnit.SECONDS);
        assertThat(room.tryTake(ONE)).isFalse();
    }
}
