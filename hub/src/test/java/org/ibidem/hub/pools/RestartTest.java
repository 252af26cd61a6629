package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request.Past;
import org.junit.jupiter.api.Test;

/// What a hub that is started again makes of its members, from its state or from what they
/// remember.
class RestartTest {
    private final Driven driven = new Driven("demo", Driven.LIMITS);

    private static Member member(int node, int rank) {
        return new Member(Driven.id(node), rank, Driven.HERE);
    }

    private static void refused(Answer answer, JoinRefusal code) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    /// Its connections have other numbers, or the same ones by chance.
    @Test
    void the_end_of_a_connection_from_before_says_nothing_of_a_member() {
        driven.join(1);
        driven.join(2);
        long session = driven.sessionOf(2);
        driven.restart();
        driven.proved(2, session, "end of stream");
        assertThat(driven.pool().seats()).hasSize(2);
        driven.pools.apply(
                new Command.Lost("demo", Driven.id(2), session, "silent", Long.MAX_VALUE));
        assertThat(driven.changes()).noneMatch(PoolEvent.Suspected.class::isInstance);
    }

    @Test
    void one_that_was_suspected_before_still_is_and_has_the_whole_time_to_come_back() {
        driven.join(1);
        driven.join(2);
        driven.lost(2, "silent");
        driven.pass(20);
        driven.restart();
        assertThat(driven.pool().seat(Driven.id(2)).suspected()).isTrue();
        driven.pass(29);
        assertThat(driven.pool().seats()).hasSize(2);
        driven.back(2);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Restored(member(2, 1)));
    }

    @Test
    void one_that_was_suspected_before_and_does_not_come_back_had_no_contact() {
        driven.join(1);
        driven.join(2);
        driven.lost(2, "silent");
        driven.restart();
        driven.back(1);
        driven.pass(30);
        assertThat(driven.pool().death(Driven.id(2))).isEqualTo("no contact for 30 s");
    }

    @Test
    void who_remembers_has_the_whole_time_again_after_another_restart() {
        driven.attach(1, 0, 0, before("", true), Recalled.NONE);
        driven.pass(20);
        driven.restart();
        driven.back(1);
        driven.pass(20);
        driven.backFromBefore(2, 7, "it was full");
        assertThat(driven.ranks()).containsExactly(0, 7);
        assertThat(driven.pool().closed()).isEqualTo("it was full");
        driven.pass(10);
        driven.backFromBefore(3, 8, "too late");
        assertThat(driven.pool().closed()).isEqualTo("it was full");
    }

    private static Past before(String closed, boolean recalled) {
        return new Past(Driven.BEFORE, 9, closed, Optional.empty(), recalled);
    }

    /// It may have been a member of another pool of that name.
    @Test
    void a_pool_that_began_in_this_life_takes_over_nothing_from_before_whatever_is_restarted() {
        driven.join(1);
        driven.restart();
        driven.back(1);
        refused(driven.backFromBefore(9, 0, "it was full"), JoinRefusal.RANK_TAKEN);
        driven.backFromBefore(8, 5, "it was full", member(7, 6));
        assertThat(driven.pool().closed()).isEmpty();
        assertThat(driven.ranks()).containsExactly(0, 5);
    }

    @Test
    void what_is_remembered_of_the_dead_and_of_ranks_that_are_taken_counts_for_nothing() {
        driven.backFromBefore(1, 0, "", member(2, 1));
        driven.pass(30);
        assertThat(driven.pool().death(Driven.id(2))).isNotNull();
        var late = new Driven("demo", Driven.LIMITS);
        late.backFromBefore(1, 0, "");
        late.backFromBefore(3, 1, "");
        late.proved(3, "end of stream");
        late.backFromBefore(4, 2, "", member(3, 1), member(5, 0), member(1, 9), member(6, 3));
        assertThat(late.ranks()).containsExactlyInAnyOrder(0, 2, 3);
        assertThat(late.pool().seat(Driven.id(6)).suspected()).isTrue();
        assertThat(late.pool().seat(Driven.id(1)).suspected()).isFalse();
    }

    @Test
    void more_than_a_hub_has_room_for_is_not_remembered() {
        var small = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 1, 2, 8));
        small.backFromBefore(1, 0, "", member(1, 0), member(2, 1), member(3, 2));
        assertThat(small.pools.members()).isEqualTo(2);
        assertThat(small.ranks()).containsExactly(0, 1);
        refused(small.join(4), JoinRefusal.HUB_FULL);
    }

    @Test
    void what_is_remembered_fits_into_the_size_of_the_pool() {
        driven.attach(1, 2, 0, before("", true), recalling(member(7, 2), member(2, 1)));
        assertThat(driven.ranks()).containsExactly(0, 1);
        driven.attach(2, 2, 1, before("", true), recalling(member(8, 1)));
        assertThat(driven.ranks()).containsExactly(0, 1);
        refused(driven.attach(9, 2, 1, before("", true), Recalled.NONE), JoinRefusal.DEPARTED);
    }

    private static Recalled recalling(Member... members) {
        return new Recalled(List.of(members), List.of());
    }

    @Test
    void who_remembers_a_rank_that_cannot_be_or_is_anothers_by_now_is_told_so() {
        driven.attach(1, 3, 0, before("", true), Recalled.NONE);
        refused(driven.attach(2, 3, 3, before("", true), Recalled.NONE), JoinRefusal.RANK_TAKEN);
        refused(driven.attach(3, 3, 0, before("", true), Recalled.NONE), JoinRefusal.DEPARTED);
        assertThat(driven.ranks()).containsExactly(0);
    }

    @Test
    void of_a_winner_who_is_not_there_any_more_the_term_is_remembered() {
        var won = new PoolEvent.Elected("e", member(9, 9), 4);
        var all = new Recalled(List.of(), List.of(won));
        driven.attach(1, 0, 0, before("", true), all);
        assertThat(driven.changes()).noneMatch(PoolEvent.Elected.class::isInstance);
        driven.operate(1, new Operation.Elect("e"));
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(1, 0), 5));
    }

    @Test
    void who_terminated_a_pool_is_remembered_by_its_members() {
        var past = new Past(Driven.BEFORE, 9, "it ended", Optional.of(member(8, 8)), true);
        driven.attach(2, 0, 0, past, Recalled.NONE);
        assertThat(driven.pool().terminated()).isEqualTo(member(8, 8));
    }

    @Test
    void no_more_elections_are_remembered_than_there_may_be() {
        var all =
                IntStream.rangeClosed(0, Protocol.MOST_NAMES)
                        .mapToObj(i -> new PoolEvent.Elected("e" + i, member(1, 0), 4))
                        .toList();
        driven.attach(1, 0, 0, before("", true), new Recalled(List.of(), all));
        assertThat(driven.pool().races.results()).isEqualTo(all.subList(0, Protocol.MOST_NAMES));
        var known = new PoolEvent.Elected("e0", member(1, 0), 5);
        driven.attach(2, 0, 1, before("", true), new Recalled(List.of(), List.of(known)));
        assertThat(driven.pool().races.results())
                .as("one that is there is no more")
                .contains(known);
    }

    /// Its hub did not forget who is a member, but the end of what happened.
    @Test
    void one_who_knows_more_than_the_state_brings_back_no_members() {
        driven.join(1);
        driven.restart();
        var past = new Past(Driven.EPOCH, 1_000, "", Optional.empty(), true);
        driven.attach(1, 0, 0, past, recalling(member(5, 4)));
        assertThat(driven.ranks()).containsExactly(0);
    }

    @Test
    void members_are_counted_over_restarts() {
        var small = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 1, 2, 8));
        small.join(1);
        small.join(2);
        small.pools = Image.read(Image.of(small.pools), new Limits(1, 1, 2, 8));
        refused(small.join(3), JoinRefusal.HUB_FULL);
        small.leave(2);
        assertThat(small.join(3)).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void who_terminated_a_pool_and_who_stood_for_what_is_known_after_a_restart() {
        driven.join(1);
        driven.join(2);
        driven.operate(2, new Operation.Elect("e"));
        driven.operate(1, new Operation.Elect("e"));
        driven.operate(1, new Operation.Terminate());
        driven.restart();
        assertThat(driven.pool().terminated()).isEqualTo(member(1, 0));
        assertThat(driven.pool().closed()).startsWith("it was terminated by");
        driven.back(1);
        driven.pass(30);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(1, 0), 2));
    }

    @Test
    void signals_that_were_missed_before_are_missed_after_a_restart() {
        var few = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 4, 100, 4));
        few.join(1);
        few.join(2);
        few.operate(1, new Operation.Signal("hi", false, List.of(Driven.id(2))));
        long signal = few.pool().log.last();
        for (int i = 0; i < 4; i++) {
            few.operate(1, new Operation.Signal("to me", false, List.of(Driven.id(1))));
        }
        few.restart();
        assertThat(few.pool().missed(Driven.id(2), signal - 1)).isTrue();
        assertThat(few.pool().missed(Driven.id(2), signal)).isFalse();
        assertThat(few.pool().missed(Driven.id(1), signal)).isFalse();
        assertThat(few.pool().signals(Driven.id(1), signal)).hasSize(4);
    }
}
