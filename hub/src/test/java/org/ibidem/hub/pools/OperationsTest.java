package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What members have the state machine do.
class OperationsTest {
    private final Driven driven = new Driven("demo", Driven.LIMITS);

    @BeforeEach
    void three_members() {
        driven.join(1);
        driven.join(2);
        driven.join(3);
    }

    @Test
    void the_first_who_stands_wins_and_stays_the_winner() {
        assertThat(elect(2)).isEqualTo(won(2, 1));
        assertThat(elect(1)).isEqualTo(won(2, 1));
        assertThat(elect(2)).isEqualTo(won(2, 1));
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(2), 1));
    }

    @Test
    void when_the_winner_is_gone_the_one_who_has_stood_for_longest_wins() {
        elect(2);
        elect(3);
        elect(1);
        driven.proved(2, "end of stream");
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(3), 2));
        driven.leave(3);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(1), 3));
        assertThat(elect(1)).isEqualTo(won(1, 3));
    }

    @Test
    void a_suspected_winner_is_still_the_winner() {
        elect(2);
        elect(3);
        driven.lost(2, "silent");
        assertThat(elect(3)).isEqualTo(won(2, 1));
    }

    @Test
    void who_withdraws_wins_no_more_and_a_vacant_election_begins_with_a_higher_term() {
        elect(2);
        driven.operate(2, new Operation.Withdraw("e"));
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Vacated("e", 1));
        assertThat(elect(3)).isEqualTo(won(3, 2));
    }

    @Test
    void numbers_begin_at_zero_and_none_is_given_twice_or_left_out() {
        assertThat(driven.operate(1, new Operation.Next("s", 1))).isEqualTo(value(0));
        assertThat(driven.operate(2, new Operation.Next("s", 3))).isEqualTo(value(1));
        assertThat(driven.operate(1, new Operation.Next("s", 1))).isEqualTo(value(4));
        assertThat(driven.operate(1, new Operation.Next("other", 1))).isEqualTo(value(0));
    }

    @Test
    void an_operation_sent_again_is_done_once() {
        var first = driven.operate(1, new Operation.Next("s", 1));
        assertThat(driven.operate(1, driven.call(), new Operation.Next("s", 1))).isEqualTo(first);
        assertThat(driven.operate(2, new Operation.Next("s", 1))).isEqualTo(value(1));
    }

    /// Before anything is refused for want of room.
    @Test
    void what_became_of_an_operation_is_known_of_members_only() {
        var next = new Operation.Next("s", 1);
        driven.operate(1, 1, next);
        assertThat(answered("demo", 1, 1)).isEqualTo(value(0));
        assertThat(answered("demo", 1, 2)).as("not asked yet").isNull();
        assertThat(answered("demo", 9, 1)).as("of no member").isNull();
        assertThat(answered("other", 1, 1)).as("of no pool").isNull();
        var nobody = new Command.Operate("other", Driven.id(1), 1, List.of(), next);
        assertThat(driven.pools.apply(nobody)).isEqualTo(new Answer.Done());
        assertThat(driven.operate(9, next)).isEqualTo(new Answer.Done());
        assertThat(driven.operate(1, 2, next)).isEqualTo(value(1));
    }

    private Answer answered(String pool, int node, long call) {
        return driven.pools.answered(
                new Command.Operate(
                        pool, Driven.id(node), call, List.of(), new Operation.Next("s", 1)));
    }

    @Test
    void a_member_that_is_lost_twice_is_suspected_once() {
        driven.lost(2, "silent");
        driven.lost(2, "silent still");
        assertThat(driven.changes())
                .filteredOn(PoolEvent.Suspected.class::isInstance)
                .containsExactly(new PoolEvent.Suspected(member(2), "silent"));
    }

    @Test
    void tokens_go_to_those_who_wait_in_the_order_of_asking() {
        assertThat(driven.operate(1, new Operation.Take("t", true))).isEqualTo(waits());
        long one = driven.call();
        assertThat(driven.operate(2, new Operation.Take("t", true))).isEqualTo(waits());
        long two = driven.call();
        assertThat(driven.operate(3, new Operation.Take("t", false))).isEqualTo(taken(false));
        assertThat(driven.operate(3, new Operation.Add("t", 3))).isEqualTo(value(1));
        assertThat(driven.pools.takeDeliveries())
                .containsExactly(delivery(1, one, true), delivery(2, two, true));
        assertThat(driven.operate(3, new Operation.Take("t", false))).isEqualTo(taken(true));
        assertThat(driven.operate(3, new Operation.Count("t"))).isEqualTo(value(0));
    }

    @Test
    void who_waits_no_more_gets_none_and_one_that_was_quicker_is_kept() {
        driven.operate(1, new Operation.Take("t", true));
        long call = driven.call();
        driven.operate(1, new Operation.Cancel(call));
        assertThat(driven.pools.takeDeliveries()).containsExactly(delivery(1, call, false));
        driven.operate(2, new Operation.Add("t", 1));
        assertThat(driven.pools.takeDeliveries()).isEmpty();
        assertThat(driven.operate(1, new Operation.Take("t", true))).isEqualTo(taken(true));
        long taken = driven.call();
        driven.operate(1, new Operation.Cancel(taken));
        assertThat(driven.pools.takeDeliveries()).isEmpty();
    }

    @Test
    void one_who_is_gone_waits_for_no_token() {
        driven.operate(1, new Operation.Take("t", true));
        driven.proved(1, "end of stream");
        assertThat(driven.operate(2, new Operation.Add("t", 1))).isEqualTo(value(1));
    }

    @Test
    void tokens_can_be_set_and_removed() {
        driven.operate(1, new Operation.Add("t", 5));
        assertThat(driven.operate(1, new Operation.Set("t", 2))).isEqualTo(value(5));
        assertThat(driven.operate(1, new Operation.Set("t", 0))).isEqualTo(value(2));
        assertThat(driven.operate(2, new Operation.Take("t", false))).isEqualTo(taken(false));
    }

    @Test
    void a_signal_is_for_those_named_who_are_members() {
        var signal =
                new Operation.Signal(
                        "hi", false, List.of(Driven.id(2), Driven.id(9), Driven.id(2)));
        assertThat(driven.operate(1, signal)).isEqualTo(value(1));
        var entry = driven.pool().log.at(driven.pool().log.last());
        assertThat(entry)
                .isEqualTo(
                        new ChangeLog.Entry(
                                new PoolEvent.Signalled(member(1), "hi"), Set.of(Driven.id(2))));
        assertThat(driven.operate(1, new Operation.Signal("all", true, List.of())))
                .isEqualTo(value(3));
    }

    @Test
    void a_signal_that_is_kept_no_more_was_missed_by_those_it_was_for_and_nobody_else() {
        var few = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 4, 100, 4));
        few.join(1);
        few.join(2);
        few.join(3);
        few.operate(1, new Operation.Signal("hi", false, List.of(Driven.id(2))));
        long signal = few.pool().log.last();
        for (int i = 0; i < 4; i++) {
            few.operate(1, new Operation.Signal("to me", false, List.of(Driven.id(1))));
        }
        few.join(4);
        assertThat(few.pool().missed(Driven.id(2), signal - 1)).isTrue();
        assertThat(few.pool().missed(Driven.id(2), signal)).isFalse();
        assertThat(few.pool().missed(Driven.id(3), 0)).isFalse();
        assertThat(few.pool().missed(Driven.id(4), 0)).isFalse();
    }

    @Test
    void one_assumed_dead_is_dead_whatever_it_does() {
        driven.operate(1, new Operation.AssumeDead(Driven.id(2), "no answer"));
        assertThat(driven.pool().death(Driven.id(2))).contains("assumed dead", "no answer");
        assertThat(driven.back(2))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(JoinRefusal.DEPARTED));
    }

    @Test
    void a_closed_pool_takes_nobody_and_a_terminated_one_says_who_did_it_once() {
        driven.operate(1, new Operation.Close("enough"));
        assertThat(driven.join(4))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo(JoinRefusal.POOL_CLOSED);
                            assertThat(refused.text()).contains("enough");
                        });
        driven.operate(2, new Operation.Terminate());
        driven.operate(3, new Operation.Terminate());
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Terminated(member(2)));
        assertThat(driven.pool().facts(false, 0).terminated()).contains(member(2));
    }

    @Test
    void a_pool_has_so_many_elections_sequences_and_names_of_tokens_and_says_so() {
        for (int i = 0; i < Protocol.MOST_NAMES; i++) {
            driven.operate(1, i + 1000, new Operation.Elect("e" + i));
            driven.operate(2, i + 1000, new Operation.Next("s" + i, 1));
            driven.operate(3, i + 1000, new Operation.Add("t" + i, 1));
        }
        refused(driven.operate(1, 9001, new Operation.Elect("one more")), "elections");
        refused(driven.operate(2, 9001, new Operation.Next("one more", 1)), "sequences");
        refused(driven.operate(3, 9001, new Operation.Add("one more", 1)), "tokens");
        refused(driven.operate(3, 9002, new Operation.Take("one more", true)), "tokens");
        assertThat(driven.operate(2, 9002, new Operation.Next("s7", 1))).isEqualTo(value(1));
    }

    @Test
    void a_sequence_and_a_supply_have_an_end() {
        driven.operate(1, new Operation.Add("t", Long.MAX_VALUE));
        refused(driven.operate(1, new Operation.Add("t", 1)), "too many");
        for (int i = 0; i < 3; i++) {
            driven.pool().sequences.put("s", Long.MAX_VALUE - 1);
            assertThat(driven.operate(1, new Operation.Next("s", 1)))
                    .isEqualTo(value(Long.MAX_VALUE - 1));
            refused(driven.operate(1, new Operation.Next("s", 1)), "end");
        }
    }

    @Test
    void a_member_has_so_many_operations_under_way_and_no_more() {
        for (int i = 1; i <= Protocol.MOST_OPEN; i++) {
            driven.operate(1, i, new Operation.Take("t", true));
        }
        refused(driven.operate(1, 1000, new Operation.Next("s", 1)), "under way");
        assertThat(driven.operate(2, 1, new Operation.Next("s", 1))).isEqualTo(value(0));
    }

    @Test
    void after_a_restart_all_is_as_it_was_and_all_are_waited_for_without_a_word() {
        elect(2);
        elect(1);
        driven.operate(1, new Operation.Next("s", 5));
        driven.operate(3, new Operation.Take("t", true));
        long waits = driven.call();
        long last = driven.pool().log.last();
        driven.restart();
        assertThat(driven.pool().log.last()).isEqualTo(last);
        assertThat(driven.pool().seats()).allMatch(Seat::lost).noneMatch(Seat::suspected);
        driven.back(1);
        driven.back(3);
        assertThat(driven.operate(1, new Operation.Next("s", 1))).isEqualTo(value(5));
        driven.operate(1, new Operation.Add("t", 1));
        assertThat(driven.pools.takeDeliveries()).containsExactly(delivery(3, waits, true));
        driven.pass(31);
        assertThat(driven.pool().death(Driven.id(2))).contains("not back within 30 s");
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("e", member(1), 2));
    }

    private Answer elect(int node) {
        return driven.operate(node, new Operation.Elect("e"));
    }

    private static Member member(int node) {
        return new Member(Driven.id(node), node - 1, Driven.HERE);
    }

    private static Answer won(int node, long term) {
        return new Answer.Settled(new Outcome.Elected(member(node), term));
    }

    private static Answer value(long value) {
        return new Answer.Settled(new Outcome.Value(value));
    }

    private static Answer taken(boolean got) {
        return new Answer.Settled(new Outcome.Taken(got));
    }

    private static Answer waits() {
        return new Answer.Done();
    }

    private static Pools.Delivery delivery(int node, long call, boolean got) {
        return new Pools.Delivery("demo", Driven.id(node), call, new Outcome.Taken(got));
    }

    private static void refused(Answer answer, String part) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Settled.class,
                        settled ->
                                assertThat(settled.outcome())
                                        .isInstanceOfSatisfying(
                                                Outcome.Refused.class,
                                                refused ->
                                                        assertThat(refused.why()).contains(part)));
    }
}
