package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Request.Past;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private final Driven driven = new Driven("demo", Driven.LIMITS);

    @Test
    void ranks_are_given_from_the_lowest_free_one() {
        driven.join(1);
        driven.join(2, 0, 5);
        driven.join(3);
        driven.leave(1);
        driven.join(4);
        assertThat(driven.ranks()).containsExactly(5, 1, 0);
    }

    @Test
    void a_taken_rank_is_refused_and_says_so() {
        driven.join(1, 0, 3);
        refused(driven.join(2, 0, 3), JoinRefusal.RANK_TAKEN, "rank 3");
    }

    @Test
    void a_rank_outside_a_sized_pool_is_refused_without_making_the_pool() {
        refused(driven.join(1, 4, 4), JoinRefusal.RANK_TAKEN, "0 to 3");
        assertThat(driven.pools.pool("demo")).isNull();
    }

    @Test
    void a_pool_with_all_its_members_is_closed_and_stays_so_after_a_loss() {
        driven.join(1, 2, -1);
        driven.join(2, 2, -1);
        assertThat(driven.changes())
                .last()
                .isEqualTo(new PoolEvent.Closed("it has all its 2 members"));
        refused(driven.join(3, 2, -1), JoinRefusal.POOL_FULL, "2 members");
        driven.proved(2, "end of stream");
        refused(driven.join(3, 2, -1), JoinRefusal.POOL_CLOSED, "all its 2 members");
    }

    @Test
    void another_size_is_refused() {
        driven.join(1, 2, -1);
        refused(driven.join(2, 3, -1), JoinRefusal.SIZE_DIFFERS, "made for 2 members, not for 3");
    }

    @Test
    void the_same_key_cannot_join_twice() {
        driven.join(1);
        refused(driven.join(1), JoinRefusal.ID_IN_USE, Driven.id(1).toString());
    }

    @Test
    void a_join_asked_for_again_is_the_same_join_also_after_a_restart() {
        driven.join(1, 5L);
        var first = driven.join(2, 7L);
        var changes = driven.changes();
        long session = driven.sessionOf(2);
        assertThat(driven.join(2, 7L)).isEqualTo(first);
        assertThat(driven.sessionOf(2)).isGreaterThan(session);
        driven.restart();
        assertThat(driven.join(2, 7L)).isEqualTo(first);
        assertThat(driven.changes()).isEqualTo(changes);
    }

    @Test
    void a_join_asked_for_again_from_out_of_contact_is_restored() {
        driven.join(1, 5L);
        driven.lost(1, "cut");
        driven.join(1, 5L);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Restored(member(1, 0)));
    }

    @Test
    void another_join_with_the_same_key_is_refused_and_says_whether_its_process_can_be_ended() {
        driven.join(1, 5L);
        refused(driven.join(1, 6L), JoinRefusal.ID_IN_USE, "end that process first, or join with");
        driven.lost(1, "cut");
        var text = ((Answer.Refused) driven.join(1, 6L)).text();
        assertThat(text)
                .contains("with which the hub has no contact now")
                .endsWith("join with another identity")
                .doesNotContain("process");
    }

    @Test
    void who_says_nothing_of_its_join_asks_for_another_one_each_time() {
        driven.join(1);
        refused(driven.join(1, 0L), JoinRefusal.ID_IN_USE, Driven.id(1).toString());
    }

    @Test
    void what_a_member_knows_beyond_the_state_shows_it_and_the_elections_it_knows_are_taken_over() {
        driven.join(1);
        driven.join(2);
        driven.restart();
        var knows = driven.pool().log.last() + 3;
        var past = new Past(Driven.EPOCH, knows, "", Optional.empty(), false);
        assertThat(driven.attach(1, 0, 0, past, Recalled.NONE))
                .isInstanceOf(Answer.Forgotten.class);
        var won = new PoolEvent.Elected("x", member(1, 0), 4);
        var recalled = new Recalled(List.of(), List.of(won));
        assertThat(driven.attach(1, 0, 0, past.afterRecalls(), recalled))
                .isInstanceOfSatisfying(
                        Answer.Accepted.class, accepted -> assertThat(accepted.beyond()).isTrue());
        assertThat(driven.changes()).last().isEqualTo(won);
        assertThat(driven.attach(2, 0, 1, past.afterRecalls(), recalled))
                .isInstanceOfSatisfying(
                        Answer.Accepted.class, accepted -> assertThat(accepted.beyond()).isTrue());
        assertThat(driven.changes()).last().isEqualTo(won);
    }

    @Test
    void one_that_was_told_since_the_restart_knows_nothing_beyond_it() {
        driven.join(1);
        driven.restart();
        driven.back(1);
        driven.join(2);
        var last = driven.pool().log.last();
        var past = new Past(Driven.EPOCH, last, "", Optional.empty(), false);
        assertThat(driven.attach(1, 0, 0, past, Recalled.NONE))
                .isInstanceOfSatisfying(
                        Answer.Accepted.class, accepted -> assertThat(accepted.beyond()).isFalse());
    }

    @Test
    void of_two_who_won_the_same_term_the_one_who_is_the_winner_gets_another_one() {
        driven.join(1);
        driven.join(2);
        driven.restart();
        driven.back(2);
        driven.operate(2, new Operation.Elect("x"));
        var past = new Past(Driven.EPOCH, 9, "", Optional.empty(), true);
        var won = new PoolEvent.Elected("x", member(1, 0), 1);
        driven.attach(1, 0, 0, past, new Recalled(List.of(), List.of(won)));
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Elected("x", member(2, 1), 2));
    }

    @Test
    void one_who_left_may_join_again() {
        driven.join(1);
        driven.join(2);
        driven.leave(2);
        assertThat(driven.join(2)).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void dead_is_final() {
        driven.join(1);
        driven.join(2);
        driven.proved(2, "end of stream");
        refused(driven.back(2), JoinRefusal.DEPARTED, "end of stream");
        refused(driven.join(2), JoinRefusal.DEPARTED, "end of stream");
        refused(driven.backFromBefore(2, 1, ""), JoinRefusal.DEPARTED, "end of stream");
    }

    @Test
    void a_lost_member_is_suspected_and_dead_only_after_thirty_seconds() {
        driven.join(1);
        driven.join(2);
        driven.lost(2, "reset");
        driven.pass(29);
        assertThat(driven.changes())
                .last()
                .isEqualTo(new PoolEvent.Suspected(member(2, 1), "reset"));
        driven.pass(1);
        assertThat(driven.changes())
                .last()
                .isEqualTo(new PoolEvent.Died(member(2, 1), "no contact for 30 s"));
    }

    @Test
    void a_suspected_member_that_comes_back_is_restored_with_its_rank() {
        driven.join(1);
        driven.join(2);
        driven.lost(2, "reset");
        driven.pass(20);
        assertThat(driven.back(2))
                .isInstanceOfSatisfying(
                        Answer.Accepted.class,
                        accepted -> assertThat(accepted.member()).isEqualTo(member(2, 1)));
        driven.pass(100);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Restored(member(2, 1)));
    }

    @Test
    void a_silent_member_that_is_heard_of_is_restored() {
        driven.join(1);
        driven.lost(1, "silent");
        driven.heard(1);
        driven.heard(1);
        assertThat(driven.changes()).last().isEqualTo(new PoolEvent.Restored(member(1, 0)));
        assertThat(driven.changes()).hasSize(3);
    }

    @Test
    void the_end_of_an_old_connection_says_nothing_about_a_member_on_a_new_one() {
        driven.join(1);
        long old = driven.sessionOf(1);
        driven.back(1);
        driven.proved(1, old, "end of stream");
        assertThat(driven.pool().seats()).hasSize(1);
    }

    @Test
    void a_pool_without_members_is_forgotten() {
        driven.join(1, 2, -1);
        driven.leave(1);
        assertThat(driven.pools.pool("demo")).isNull();
        refused(driven.back(1), JoinRefusal.DEPARTED, "is no longer a member");
    }

    @Test
    void who_missed_some_changes_gets_exactly_those_and_who_missed_too_many_none() {
        var few = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 4, 100, 3));
        for (int i = 1; i <= 5; i++) {
            few.join(i);
        }
        var log = few.pool().log;
        assertThat(log.after(3, 10))
                .extracting(ChangeLog.Entry::change)
                .containsExactly(
                        new PoolEvent.Joined(member(4, 3)), new PoolEvent.Joined(member(5, 4)));
        assertThat(log.after(5, 10)).isEmpty();
        assertThat(log.reaches(2)).isTrue();
        assertThat(log.reaches(1)).isFalse();
        assertThat(log.reaches(6)).isFalse();
    }

    @Test
    void a_hub_has_room_for_so_many_pools_and_members_only() {
        var small = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 1, 2, 8));
        small.join(1);
        small.join(2);
        refused(small.join(3), JoinRefusal.HUB_FULL, "members");
        small.leave(2);
        assertThat(small.join(3)).isInstanceOf(Answer.Accepted.class);
    }

    @Test
    void
            a_hub_started_anew_asks_for_memories_then_takes_members_back_and_holds_the_missing_for_dead() {
        assertThat(driven.attach(1, 3, 0, before(false), Recalled.NONE))
                .isEqualTo(new Answer.Forgotten(0));
        var all = List.of(member(1, 0), member(2, 1), member(3, 2));
        driven.attach(1, 3, 0, before(true), new Recalled(all, List.of()));
        refused(driven.join(9, 3, -1), JoinRefusal.POOL_FULL, "3 members");
        assertThat(driven.attach(3, 3, 2, before(false), Recalled.NONE))
                .isEqualTo(new Answer.Forgotten(1 + 2 + 3));
        driven.attach(3, 3, 2, before(true), Recalled.NONE);
        driven.pass(31);
        assertThat(driven.ranks()).containsExactlyInAnyOrder(0, 2);
        assertThat(driven.pool().death(Driven.id(2))).isEqualTo("no contact for 30 s");
        refused(
                driven.attach(2, 3, 1, before(false), Recalled.NONE),
                JoinRefusal.DEPARTED,
                "no contact");
    }

    @Test
    void one_who_knew_more_than_the_first_to_return_is_listened_to() {
        driven.attach(1, 0, 0, before(true), recalling(member(1, 0), member(2, 1)));
        assertThat(driven.attach(2, 0, 1, before(false), Recalled.NONE))
                .isEqualTo(new Answer.Forgotten(1 + 2));
        var all = recalling(member(1, 0), member(2, 1), member(3, 2));
        driven.attach(2, 0, 1, before(true), all);
        assertThat(driven.ranks()).containsExactlyInAnyOrder(0, 1, 2);
    }

    private static Recalled recalling(Member... members) {
        return new Recalled(List.of(members), List.of());
    }

    private static Past before(boolean recalled) {
        return new Past(Driven.BEFORE, 3, "", Optional.empty(), recalled);
    }

    @Test
    void a_pool_closed_before_the_hub_was_started_anew_stays_closed() {
        driven.backFromBefore(1, 0, "it had all");
        refused(driven.join(2), JoinRefusal.POOL_CLOSED, "it had all");
    }

    private static Member member(int node, int rank) {
        return new Member(Driven.id(node), rank, Driven.HERE);
    }

    private static void refused(Answer answer, JoinRefusal code, String part) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> {
                            assertThat(refused.code()).isEqualTo(code);
                            assertThat(refused.text()).contains(part);
                        });
    }
}
