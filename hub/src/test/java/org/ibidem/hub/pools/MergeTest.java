package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Operation;
import org.junit.jupiter.api.Test;

/// What many changes come to is what they lead to.
class MergeTest {
    private static final Member ONE = new Member(Driven.id(1), 0, Driven.HERE);
    private static final Member TWO = new Member(Driven.id(2), 1, Driven.HERE);

    @Test
    void who_came_and_went_is_left_out() {
        assertThat(merged(joined(ONE), joined(TWO), new PoolEvent.Left(ONE)))
                .containsExactly(joined(TWO));
    }

    @Test
    void who_went_and_came_again_is_told_both() {
        assertThat(merged(new PoolEvent.Left(ONE), joined(ONE)))
                .containsExactly(new PoolEvent.Left(ONE), joined(ONE));
    }

    @Test
    void a_suspicion_that_is_over_is_left_out_and_one_that_lasts_is_not() {
        var suspected = new PoolEvent.Suspected(ONE, "lost");
        var restored = new PoolEvent.Restored(ONE);
        assertThat(merged(suspected, restored)).isEmpty();
        assertThat(merged(suspected, restored, suspected)).containsExactly(suspected);
        assertThat(merged(restored, suspected, restored)).containsExactly(restored);
    }

    @Test
    void of_an_election_the_last_word_counts() {
        var first = new PoolEvent.Elected("e", ONE, 1);
        var second = new PoolEvent.Elected("e", TWO, 2);
        var vacated = new PoolEvent.Vacated("e", 2);
        assertThat(merged(first, second)).containsExactly(second);
        assertThat(merged(first, second, vacated)).containsExactly(vacated);
    }

    @Test
    void signals_and_what_happens_to_the_pool_stay_in_their_order() {
        Change signal = new PoolEvent.Signalled(ONE, "hi");
        Change closed = new PoolEvent.Closed("enough");
        assertThat(merged(signal, closed, signal)).containsExactly(signal, closed, signal);
    }

    @Test
    void whatever_happened_the_merged_changes_lead_to_the_same() {
        for (long seed = 1; seed <= 200; seed++) {
            try {
                requireSame(new Random(seed));
            } catch (AssertionError e) {
                throw new AssertionError("with seed " + seed, e);
            }
        }
    }

    private static void requireSame(Random random) {
        var world = World.begin(3);
        var known = new ArrayList<Knowledge>();
        var changes = new ArrayList<Change>();
        known.add(new Knowledge());
        while (changes.size() < 60) {
            var next = world.next();
            next.removeIf(MergeTest::isEnd);
            world.pools.apply(next.get(random.nextInt(next.size())));
            var pool = world.pools.pool(World.POOL);
            if (pool == null) {
                break;
            }
            for (var entry : pool.log.after(changes.size(), Integer.MAX_VALUE)) {
                changes.add(entry.change());
                var after = known.getLast().copy();
                after.apply(entry.change());
                known.add(after);
            }
        }
        requireAll(known, changes);
    }

    private static void requireAll(List<Knowledge> known, List<Change> changes) {
        for (int from = 0; from < changes.size(); from++) {
            for (int to = from; to <= changes.size(); to++) {
                var reached = known.get(from).copy();
                var merged = Merge.of(changes.subList(from, to));
                merged.forEach(reached::apply);
                if (!reached.equals(known.get(to))) {
                    throw new AssertionError(
                            "%s came to %s, not %s: %s"
                                    .formatted(
                                            changes.subList(from, to),
                                            merged,
                                            known.get(to),
                                            reached));
                }
            }
        }
    }

    // Histories would be short with it.
    private static boolean isEnd(Command command) {
        return command instanceof Command.Expire
                || (command instanceof Command.Operate(_, _, _, _, var operation)
                        && (operation instanceof Operation.Close
                                || operation instanceof Operation.Terminate));
    }

    private static Change joined(Member member) {
        return new PoolEvent.Joined(member);
    }

    private static List<Change> merged(Change... changes) {
        return Merge.of(List.of(changes));
    }
}
