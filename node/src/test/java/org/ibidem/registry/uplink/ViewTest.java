package org.ibidem.registry.uplink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// What is told of a pool that was not followed for a while.
class ViewTest {
    private static final Member ONE = member(1, 0);
    private static final Member TWO = member(2, 1);
    private static final Member THREE = member(3, 2);

    private final View view = new View();

    private static Member member(int n, int rank) {
        return new Member(new NodeId(n, n), rank, Location.parse("here"));
    }

    private static Reply.Facts facts(boolean vague) {
        return new Reply.Facts("", Optional.empty(), false, vague);
    }

    private List<Change> changes(Reply.Facts facts, Map<NodeId, String> dead, Member... present) {
        var entries = List.of(present).stream().map(it -> new Reply.Entry(it, false)).toList();
        return view.difference(facts, new View.Snapshot(entries, List.of(), dead));
    }

    @Test
    void who_is_gone_left_unless_it_is_named_among_the_dead() {
        List.of(ONE, TWO, THREE).forEach(it -> view.apply(new PoolEvent.Joined(it)));
        assertThat(changes(facts(false), Map.of(TWO.id(), "reset"), ONE))
                .containsExactlyInAnyOrder(
                        new PoolEvent.Died(TWO, "reset"), new PoolEvent.Left(THREE));
    }

    @Test
    void where_not_all_dead_are_known_who_is_gone_may_have_died() {
        List.of(ONE, TWO).forEach(it -> view.apply(new PoolEvent.Joined(it)));
        assertThat(changes(facts(true), Map.of(), ONE))
                .singleElement()
                .isInstanceOfSatisfying(
                        PoolEvent.Died.class,
                        died -> {
                            assertThat(died.member()).isEqualTo(TWO);
                            assertThat(died.why()).contains("when this node heard of the pool");
                        });
    }

    @Test
    void one_that_left_and_joined_again_has_done_both() {
        view.apply(new PoolEvent.Joined(TWO));
        var again = member(2, 5);
        assertThat(changes(facts(false), Map.of(), again))
                .containsExactly(new PoolEvent.Left(TWO), new PoolEvent.Joined(again));
    }

    private static PoolEvent.Elected won(String election, Member winner, long term) {
        return new PoolEvent.Elected(election, winner, term);
    }

    /// All that can be known, each for the first time.
    private void learn() {
        for (Change news :
                List.of(
                        new PoolEvent.Joined(ONE),
                        new PoolEvent.Joined(TWO),
                        new PoolEvent.Joined(THREE),
                        new PoolEvent.Suspected(TWO, "silent"),
                        won("master", ONE, 3),
                        won("vacant", ONE, 5),
                        new PoolEvent.Vacated("vacant", 5),
                        new PoolEvent.Closed("enough"),
                        new PoolEvent.Terminated(ONE))) {
            assertThat(view.apply(news)).as("%s", news).isTrue();
        }
    }

    @Test
    void a_copy_knows_all_and_hears_no_more() {
        learn();
        var copy = new View(view);
        assertThat(view.since(copy, Map.of()))
                .as("what is said again is no news")
                .allMatch(change -> !copy.apply(change));
        assertThat(copy.members()).containsExactly(ONE, TWO, THREE);
        assertThat(copy.apply(new PoolEvent.Suspected(TWO, "again"))).isFalse();
        assertThat(copy.elected("master")).contains(won("master", ONE, 3));
        assertThat(copy.term("vacant")).isEqualTo(5);
        assertThat(copy.closed()).isEqualTo("enough");
        assertThat(copy.terminated()).contains(ONE);
        assertThat(view.apply(new PoolEvent.Left(THREE))).isTrue();
        assertThat(view.since(copy, Map.of())).contains(new PoolEvent.Left(THREE));
        assertThat(copy.size()).isEqualTo(3);
        assertThat(view.membersWhenClosed()).containsExactly(ONE, TWO, THREE);
        view.apply(new PoolEvent.Closed("again"));
        assertThat(new View(view).membersWhenClosed()).containsExactly(ONE, TWO, THREE);
    }

    @Test
    void what_one_who_knows_nothing_is_told_is_all_that_is_known() {
        learn();
        var told = new View();
        view.since(new View(), Map.of()).forEach(told::apply);
        assertThat(told.members()).containsExactly(ONE, TWO, THREE);
        assertThat(told.apply(new PoolEvent.Restored(TWO))).isTrue();
        assertThat(told.apply(new PoolEvent.Restored(ONE))).isFalse();
        assertThat(told.elections()).containsExactly(won("master", ONE, 3));
        assertThat(told.closed()).isEqualTo("enough");
        assertThat(told.terminated()).contains(ONE);
    }

    @Test
    void what_is_known_already_is_no_news() {
        learn();
        for (Change known :
                List.of(
                        new PoolEvent.Joined(ONE),
                        new PoolEvent.Left(member(9, 9)),
                        new PoolEvent.Died(member(9, 9), "why"),
                        new PoolEvent.Suspected(TWO, "again"),
                        new PoolEvent.Suspected(member(9, 9), "who"),
                        new PoolEvent.Restored(ONE),
                        new PoolEvent.Closed("again"),
                        new PoolEvent.Terminated(TWO),
                        won("master", TWO, 3),
                        won("vacant", TWO, 5),
                        new PoolEvent.Vacated("master", 2),
                        new PoolEvent.Vacated("vacant", 5),
                        new PoolEvent.Vacated("never", 1))) {
            assertThat(view.apply(known)).as("%s", known).isFalse();
        }
        assertThat(view.elected("master")).contains(won("master", ONE, 3));
        assertThat(view.term("vacant")).isEqualTo(5);
        assertThat(view.apply(new PoolEvent.Signalled(ONE, "hi"))).isTrue();
    }

    @Test
    void the_next_winner_and_the_end_of_one_are_news() {
        learn();
        assertThat(view.apply(won("vacant", TWO, 6))).isTrue();
        assertThat(view.elected("vacant")).contains(won("vacant", TWO, 6));
        assertThat(view.apply(new PoolEvent.Vacated("master", 3))).isTrue();
        assertThat(view.elected("master")).isEmpty();
        assertThat(view.term("master")).isEqualTo(3);
        assertThat(view.elections()).containsExactly(won("vacant", TWO, 6));
    }

    @Test
    void one_that_was_suspected_and_is_gone_comes_back_unsuspected() {
        learn();
        assertThat(view.apply(new PoolEvent.Died(TWO, "no contact"))).isTrue();
        assertThat(view.member(TWO.id())).isNull();
        assertThat(view.member(1)).isNull();
        assertThat(view.apply(new PoolEvent.Joined(TWO))).isTrue();
        assertThat(view.member(1)).isEqualTo(TWO);
        assertThat(view.apply(new PoolEvent.Suspected(TWO, "silent anew"))).isTrue();
        view.apply(new PoolEvent.Restored(TWO));
        assertThat(changes(facts(false), Map.of(), ONE, TWO, THREE))
                .containsExactly(new PoolEvent.Vacated("master", 3));
    }

    @Test
    void of_a_hub_that_began_anew_the_first_terms_are_news_and_who_won_before_is_still_known() {
        learn();
        view.forgetTerms();
        assertThat(view.elected("master")).contains(won("master", ONE, 3));
        assertThat(view.term("master")).isZero();
        assertThat(view.term("vacant")).isZero();
        assertThat(view.apply(won("vacant", TWO, 1))).isTrue();
        assertThat(view.apply(new PoolEvent.Vacated("master", 0))).isTrue();
        assertThat(view.elected("master")).isEmpty();
        assertThat(view.apply(won("master", TWO, 1))).isTrue();
        assertThat(view.term("master")).isEqualTo(1);
    }

    @Test
    void a_snapshot_tells_who_is_out_of_contact_who_won_and_that_it_is_over() {
        learn();
        var facts = new Reply.Facts("enough", Optional.of(ONE), false, false);
        var entries =
                List.of(
                        new Reply.Entry(ONE, true),
                        new Reply.Entry(TWO, false),
                        new Reply.Entry(THREE, false));
        var snapshot = new View.Snapshot(entries, List.of(won("other", TWO, 1)), Map.of());
        assertThat(view.difference(facts, snapshot))
                .containsExactly(
                        new PoolEvent.Suspected(ONE, "the hub has no contact with it"),
                        new PoolEvent.Restored(TWO),
                        new PoolEvent.Vacated("master", 3),
                        won("other", TWO, 1),
                        new PoolEvent.Closed("enough"),
                        new PoolEvent.Terminated(ONE));
    }

    @Test
    void members_are_found_by_rank_wherever_ranks_are_missing() {
        for (int rank : new int[] {7, 0, 3, 12}) {
            view.apply(new PoolEvent.Joined(member(rank + 100, rank)));
        }
        for (int rank = -1; rank < 14; rank++) {
            var found = view.member(rank);
            if (rank == 7 || rank == 0 || rank == 3 || rank == 12) {
                assertThat(found).isEqualTo(member(rank + 100, rank));
            } else {
                assertThat(found).isNull();
            }
        }
    }
}
