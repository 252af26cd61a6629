package org.ibidem.apps.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.ibidem.identity.Identity;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

class PlannerTest {
    private static final List<NodeId> NODES =
            IntStream.range(0, 6).mapToObj(_ -> Identity.create().id()).toList();
    private static final int SIZE = 12;

    private final Planner planner = new Planner(SIZE, 10, 95);

    private Plan plan(List<NodeId> members, Map<NodeId, List<Strip.Held>> held) {
        return planner.plan(new Planner.Crew(members, held, NODES.getFirst()));
    }

    @Test
    void it_begins_with_generation_0_which_nobody_has_to_send() {
        var plan = plan(NODES.subList(0, 3), Map.of());
        assertThat(plan.generation()).isZero();
        assertThat(plan.steps()).isEqualTo(10);
        assertThat(plan.transfers()).isEmpty();
        assertThat(plan.blocks())
                .containsExactly(
                        new Plan.Block(NODES.get(0), 0, 4),
                        new Plan.Block(NODES.get(1), 4, 4),
                        new Plan.Block(NODES.get(2), 8, 4));
    }

    @Test
    void a_newcomer_gets_rows_from_those_who_have_them() {
        var held =
                Map.of(
                        NODES.get(0), List.of(new Strip.Held(10, 0, 6)),
                        NODES.get(1), List.of(new Strip.Held(10, 6, 6)));
        var plan = plan(NODES.subList(0, 3), held);
        assertThat(plan.generation()).isEqualTo(10);
        assertThat(plan.floor()).isZero();
        assertThat(plan.transfers())
                .containsExactlyInAnyOrder(
                        new Plan.Transfer(NODES.get(0), NODES.get(1), 4, 2),
                        new Plan.Transfer(NODES.get(1), NODES.get(2), 8, 4));
    }

    @Test
    void when_rows_of_the_newest_generation_are_gone_it_falls_back_to_one_that_is_whole() {
        var held =
                Map.of(
                        NODES.get(0),
                        List.of(
                                new Strip.Held(20, 0, 6),
                                new Strip.Held(10, 0, 6),
                                new Strip.Held(10, 6, 6)));
        var plan = plan(NODES.subList(0, 2), held);
        assertThat(plan.generation()).isEqualTo(10);
        assertThat(plan.transfers())
                .containsExactly(new Plan.Transfer(NODES.get(0), NODES.get(1), 6, 6));
        assertThat(plan(NODES.subList(1, 3), Map.of(NODES.get(1), List.of())).generation())
                .isZero();
    }

    @Test
    void the_last_era_is_shorter_and_then_all_rows_come_together() {
        var whole = List.of(new Strip.Held(90, 0, SIZE));
        assertThat(plan(NODES, Map.of(NODES.get(2), whole)).steps()).isEqualTo(5);
        var end = plan(NODES, Map.of(NODES.get(2), List.of(new Strip.Held(95, 0, SIZE))));
        assertThat(end.steps()).isZero();
        assertThat(end.blocks()).containsExactly(new Plan.Block(NODES.getFirst(), 0, SIZE));
        assertThat(end.transfers())
                .containsExactly(new Plan.Transfer(NODES.get(2), NODES.getFirst(), 0, SIZE));
    }

    @Test
    void every_row_has_one_worker_who_has_it_or_gets_it_once_from_one_who_has_it() {
        var random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            var members = new ArrayList<>(NODES.subList(0, 1 + random.nextInt(NODES.size())));
            var held = new HashMap<NodeId, List<Strip.Held>>();
            for (var node : NODES) {
                var list = new ArrayList<Strip.Held>();
                for (int strip = random.nextInt(4); strip > 0; strip--) {
                    int first = random.nextInt(SIZE);
                    int count = 1 + random.nextInt(SIZE - first);
                    list.add(new Strip.Held(10 * random.nextInt(4), first, count));
                }
                held.put(node, list);
            }
            check(plan(members, held), held);
        }
    }

    private static void check(Plan plan, Map<NodeId, List<Strip.Held>> held) {
        int next = 0;
        for (var block : plan.blocks()) {
            assertThat(block.first()).isEqualTo(next);
            next += block.count();
            var rows = rows(held.getOrDefault(block.owner(), List.of()), plan.generation());
            for (var transfer : plan.transfers()) {
                if (transfer.to().equals(block.owner())) {
                    var sent = new BitSet();
                    sent.set(transfer.first(), transfer.first() + transfer.count());
                    assertThat(rows.intersects(sent)).as("sent twice").isFalse();
                    rows.or(sent);
                    var there =
                            rows(held.getOrDefault(transfer.from(), List.of()), plan.generation());
                    there.and(sent);
                    assertThat(there).as("held by who sends it").isEqualTo(sent);
                }
            }
            if (plan.generation() > 0) {
                assertThat(rows.nextClearBit(block.first()))
                        .isGreaterThanOrEqualTo(block.first() + block.count());
            }
        }
        assertThat(next).isEqualTo(SIZE);
    }

    private static BitSet rows(List<Strip.Held> held, int generation) {
        var rows = new BitSet();
        for (var one : held) {
            if (one.generation() == generation) {
                rows.set(one.first(), one.first() + one.count());
            }
        }
        return rows;
    }
}
