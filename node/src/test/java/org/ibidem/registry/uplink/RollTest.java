package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// What a node says it knows when it comes back, wherever its connection was cut.
class RollTest {
    private final Roll roll = new Roll();

    private static Reply.Welcome welcome(long epoch, long number) {
        return new Reply.Welcome(Protocol.VERSION, epoch, number, 0, 0, "");
    }

    private void snapshot(long number) {
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        roll.take(new Reply.Snapshot(number, false, facts, List.of(), List.of(), List.of()));
    }

    @Test
    void one_that_was_welcomed_and_told_nothing_yet_says_so() {
        roll.begin(welcome(7, 3));
        assertThat(roll.past().epoch()).isEqualTo(7);
        assertThat(roll.past().last()).isEqualTo(Past.NOTHING);
        roll.begin(welcome(7, 3));
        assertThat(roll.past().last()).isEqualTo(Past.NOTHING);
        assertThat(roll.complete()).isFalse();
    }

    @Test
    void one_that_was_told_says_up_to_where_also_on_its_next_connections() {
        roll.begin(welcome(7, 3));
        snapshot(3);
        roll.take(new Reply.Events(3, 5, List.of()));
        assertThat(roll.past().last()).isEqualTo(5);
        roll.begin(welcome(7, 9));
        assertThat(roll.past().last()).isEqualTo(5);
    }

    @Test
    void changes_that_do_not_go_on_from_there_are_a_gap_and_no_garbage() {
        roll.begin(welcome(7, 3));
        snapshot(3);
        assertThatThrownBy(() -> roll.take(new Reply.Events(2, 5, List.of())))
                .isInstanceOf(Roll.Gap.class)
                .hasMessageContaining("after number 2, but the last one was 3");
    }

    @Test
    void half_a_snapshot_is_nothing() {
        roll.begin(welcome(7, 3));
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        roll.take(new Reply.Snapshot(3, true, facts, List.of(), List.of(), List.of()));
        assertThat(roll.past().last()).isEqualTo(Past.NOTHING);
    }

    @Test
    void a_snapshot_has_an_end() {
        var member = new Member(new NodeId(1, 1), 0, Location.parse("here"));
        var entry = new Reply.Entry(member, false);
        var elected = new PoolEvent.Elected("e", member, 1);
        var dead =
                IntStream.range(0, Protocol.MOST_DEAD)
                        .mapToObj(i -> new Reply.Dead(new NodeId(2, i), "silent"))
                        .toList();
        endless(part(Collections.nCopies(Protocol.MOST_MEMBERS, entry), List.of(), List.of()));
        endless(part(List.of(), Collections.nCopies(Protocol.MOST_NAMES, elected), List.of()));
        endless(part(List.of(), List.of(), dead));
    }

    private void endless(Reply.Snapshot most) {
        for (int i = 0; i < 2; i++) { // each begins anew
            roll.begin(welcome(7, 3));
            roll.take(most);
            roll.take(part(List.of(), List.of(), List.of()));
        }
        var more =
                part(
                        most.entries().stream().limit(1).toList(),
                        most.elections().stream().limit(1).toList(),
                        most.dead().stream().limit(1).toList());
        assertThatThrownBy(() -> roll.take(more))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("a snapshot without end");
    }

    private static Reply.Snapshot part(
            List<Reply.Entry> entries, List<PoolEvent.Elected> elections, List<Reply.Dead> dead) {
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        return new Reply.Snapshot(3, true, facts, entries, elections, dead);
    }

    @Test
    void what_was_known_of_another_life_of_the_hub_counts_for_nothing_in_this_one() {
        roll.begin(welcome(7, 3));
        snapshot(3);
        assertThat(roll.caughtUp()).isTrue();
        assertThat(roll.begin(welcome(8, 2))).isTrue();
        assertThat(roll.past().last()).isEqualTo(Past.NOTHING);
        assertThat(roll.complete()).isTrue();
        assertThat(roll.caughtUp()).isFalse();
    }
}
