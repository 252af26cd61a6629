package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.hub.pools.Supplies.Waiter;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// What the hub keeps is counted: what is given back makes room, what is not does not, and a
/// restart changes neither.
class BoundsTest {
    private static final int MOST_WAITING = 64 * 1024;
    private static final NodeId ONE = Driven.id(1);
    private static final NodeId OTHER = Driven.id(2);

    private Supplies supplies = new Supplies();
    private final Driven driven = new Driven("demo", Driven.LIMITS);

    /// As many wait as may.
    private void crowd() {
        for (int call = 1; call < MOST_WAITING; call++) {
            supplies.await("t", new Waiter(ONE, call));
        }
        assertThat(supplies.crowded()).isFalse();
        supplies.await("other", new Waiter(OTHER, 1));
        assertThat(supplies.crowded()).isTrue();
    }

    /// One leaves, and exactly one more may wait.
    private void makesRoomForOne(Runnable leave) {
        leave.run();
        assertThat(supplies.crowded()).isFalse();
        supplies.await("t", new Waiter(ONE, MOST_WAITING));
        assertThat(supplies.crowded()).isTrue();
    }

    private void restart() {
        var out = new ControlWriter(64 << 20);
        supplies.write(out);
        supplies = new Supplies();
        supplies.read(new ControlReader(out.toBytes()));
    }

    @Test
    void who_gets_a_token_makes_room_for_another_who_waits() {
        crowd();
        makesRoomForOne(() -> supplies.set("t", 1));
    }

    @Test
    void who_waits_no_more_makes_room() {
        crowd();
        makesRoomForOne(() -> assertThat(supplies.cancel(new Waiter(OTHER, 1))).isTrue());
        assertThat(supplies.cancel(new Waiter(OTHER, 1))).isFalse();
        assertThat(supplies.crowded()).isTrue();
    }

    @Test
    void who_is_gone_makes_room() {
        crowd();
        makesRoomForOne(() -> supplies.gone(OTHER));
    }

    @Test
    void after_a_restart_as_many_wait_as_before() {
        crowd();
        restart();
        assertThat(supplies.crowded()).isTrue();
        makesRoomForOne(() -> supplies.set("t", 1));
    }

    /// There may be so many names, and one that means nothing any more is none.
    private void namesNothing(Consumer<String> end) {
        for (int i = 0; i < Protocol.MOST_NAMES; i++) {
            assertThat(supplies.full("t" + i)).isFalse();
            supplies.await("t" + i, new Waiter(ONE, i));
        }
        assertThat(supplies.full("one more")).isTrue();
        assertThat(supplies.full("t0")).isFalse();
        end.accept("t0");
        assertThat(supplies.full("one more")).isFalse();
    }

    @Test
    void a_name_nobody_waits_at_any_more_makes_room() {
        namesNothing(name -> supplies.cancel(new Waiter(ONE, 0)));
    }

    @Test
    void a_name_whose_tokens_were_all_given_makes_room() {
        namesNothing(name -> supplies.set(name, 1));
    }

    @Test
    void a_name_whose_tokens_were_all_taken_makes_room() {
        namesNothing(name -> {
            supplies.set(name, 2);
            assertThat(supplies.full("one more")).as("there is a token").isTrue();
            assertThat(supplies.take(name)).isTrue();
            assertThat(supplies.take(name)).isFalse();
        });
    }

    @Test
    void the_names_of_one_who_is_gone_make_room() {
        namesNothing(_ -> supplies.gone(ONE));
    }

    @Test
    void who_goes_or_waits_no_more_takes_nobody_along_who_waits_for_the_same() {
        var first = new Waiter(ONE, 1);
        var second = new Waiter(OTHER, 1);
        var third = new Waiter(OTHER, 2);
        List.of(first, second, third).forEach(waiter -> supplies.await("t", waiter));
        supplies.cancel(third);
        supplies.gone(ONE);
        assertThat(supplies.set("t", 1)).containsExactly(second);
        supplies.set("t", 2);
        supplies.gone(OTHER);
        assertThat(supplies.count("t")).as("tokens that were there").isEqualTo(2);
    }

    @Test
    void what_a_member_has_the_outcome_of_is_not_under_way() {
        driven.join(1);
        for (int call = 1; call <= 2 * Protocol.MOST_OPEN; call++) {
            assertThat(driven.operate(1, call, new Operation.Next("s", 1)))
                    .isEqualTo(value(call - 1));
        }
    }

    @Test
    void an_outcome_is_kept_until_its_member_has_it_also_over_a_restart() {
        driven.join(1);
        driven.operate(1, 1, new Operation.Next("s", 5));
        for (int call = 2; call < 9; call++) {
            next(call, List.of(1L));
        }
        driven.restart();
        driven.back(1);
        next(9, List.of(1L));
        assertThat(driven.operate(1, 1, new Operation.Next("s", 5))).isEqualTo(value(0));
        next(10, List.of());
        assertThat(driven.operate(1, 1, new Operation.Next("s", 5)))
                .as("nobody asks for it again")
                .isNotEqualTo(value(0));
    }

    private void next(long call, List<Long> before) {
        var command =
                new Command.Operate("demo", ONE, call, before, new Operation.Next("other", 1));
        assertThat(driven.pools.apply(command)).isEqualTo(value(call - 2));
    }

    /// Whatever a member says that it has.
    @Test
    void what_has_no_outcome_yet_is_under_way_until_it_has_one() {
        driven.join(1);
        driven.operate(1, 1, new Operation.Take("t", true));
        driven.operate(1, 2, new Operation.Next("s", 1));
        driven.operate(1, 3, new Operation.Add("t", 1));
        assertThat(driven.pools.takeDeliveries())
                .containsExactly(new Pools.Delivery("demo", ONE, 1, new Outcome.Taken(true)));
        assertThat(driven.operate(1, 1, new Operation.Take("t", true)))
                .isEqualTo(new Answer.Settled(new Outcome.Taken(true)));
    }

    @Test
    void so_many_who_died_are_remembered_and_the_first_are_forgotten_first() {
        driven.join(1);
        for (int node = 2; node <= Protocol.MOST_DEAD + 3; node++) {
            driven.join(node);
            driven.proved(node, "end of stream");
        }
        var pool = driven.pool();
        assertThat(pool.deaths(0)).hasSize(Protocol.MOST_DEAD);
        assertThat(pool.death(Driven.id(2))).isNull();
        assertThat(pool.death(Driven.id(3))).isNull();
        assertThat(pool.death(Driven.id(4))).isEqualTo("end of stream");
        long second = 1 + 2 * 2; // each joined and died
        assertThat(pool.facts(false, second - 1).vague()).isTrue();
        assertThat(pool.facts(false, second).vague()).isFalse();
        driven.restart();
        assertThat(driven.pool().facts(false, second - 1).vague()).isTrue();
        assertThat(driven.pool().deaths(0)).isEqualTo(pool.deaths(0));
        assertThat(driven.pool().deaths(pool.log.last() - 1))
                .extracting(dead -> dead.id())
                .containsExactly(Driven.id(Protocol.MOST_DEAD + 3));
    }

    /// However many the hub holds: whoever follows it is told of so many at once.
    @Test
    void a_pool_has_no_more_members_than_a_snapshot_names() {
        int most = Protocol.MOST_MEMBERS;
        var large = new Driven("demo", new Limits(Driven.LIMITS.suspicion(), 4, 2 * most, 8));
        for (int node = 1; node <= most; node++) {
            assertThat(large.join(node, 0, node - 1)).isInstanceOf(Answer.Accepted.class);
        }
        assertThat(large.join(most + 1, 0, most))
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.code()).isEqualTo(JoinRefusal.HUB_FULL));
        large.leave(1);
        assertThat(large.join(most + 1, 0, most)).isInstanceOf(Answer.Accepted.class);
    }

    private static Answer value(long value) {
        return new Answer.Settled(new Outcome.Value(value));
    }
}
