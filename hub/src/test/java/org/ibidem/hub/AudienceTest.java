package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.Limits;
import org.ibidem.hub.pools.Pools;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.task.ManualTasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who is told when.
class AudienceTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    /// A member that only counts.
    private static final class Counted implements Listener {
        private final NodeId id;
        private final Membership membership;
        private long seen = -1;
        private long hurried;
        int told;
        boolean lags;

        Counted(int n, Membership membership) {
            this.id = new NodeId(n, n);
            this.membership = membership;
        }

        @Override
        public NodeId id() {
            return id;
        }

        @Override
        public Membership membership() {
            return membership;
        }

        @Override
        public boolean knows(NodeId member) {
            return false;
        }

        @Override
        public long known() {
            return seen;
        }

        @Override
        public long seen() {
            return seen;
        }

        @Override
        public void hurry(long number) {
            hurried = number;
        }

        @Override
        public boolean patient() {
            return membership != Membership.ORDERED && seen >= Math.max(0, hurried);
        }

        @Override
        public boolean lags() {
            return lags;
        }

        @Override
        public void tell(Batch batch) {
            told += batch.messages().size();
            seen = batch.upto();
        }
    }

    private final ManualTasks tasks = new ManualTasks();
    private final Pools pools = new Pools(7, new Limits(30_000_000_000L, 4, 10_000, 1024));
    private final Audience<Counted> audience =
            new Audience<>("p", pools, new ReentrantLock(), tasks);
    private int joined;

    @Test
    void a_thousand_that_join_are_few_messages_for_who_does_not_ask_for_the_order() {
        var ordered = join(Membership.ORDERED);
        var eventual = join(Membership.EVENTUAL);
        var none = join(Membership.NONE);
        tasks.advance(MILLI);
        var before = List.of(ordered.told, eventual.told, none.told);
        for (int i = 0; i < 1_000; i++) {
            join(Membership.EVENTUAL);
            tasks.advance(MILLI);
        }
        tasks.advance(MILLI.multipliedBy(100));
        assertThat(ordered.told - before.get(0)).isEqualTo(1_000);
        assertThat(eventual.told - before.get(1)).isBetween(15, 200);
        assertThat(none.told - before.get(2)).isZero();
        assertThat(List.of(ordered, eventual, none))
                .extracting(Counted::seen)
                .containsOnly(pools.pool("p").log().last());
    }

    @Tag("slow")
    @Test
    void whoever_keeps_joining_nobody_falls_out_of_the_log() {
        var all = new ArrayList<Counted>();
        for (int i = 0; i < 4_000; i++) {
            all.add(join(i % 2 == 0 ? Membership.EVENTUAL : Membership.NONE));
            tasks.advance(MILLI);
            long first = pools.pool("p").log().first();
            assertThat(all.getFirst().seen()).isGreaterThanOrEqualTo(first - 1);
            assertThat(all.get(all.size() / 2).seen()).isGreaterThanOrEqualTo(first - 1);
        }
    }

    @Test
    void a_death_is_told_at_once() {
        var eventual = join(Membership.EVENTUAL);
        var victim = join(Membership.EVENTUAL);
        for (int i = 0; i < 200; i++) {
            join(Membership.NONE);
        }
        tasks.advance(MILLI.multipliedBy(100));
        join(Membership.NONE);
        tasks.run();
        long before = eventual.seen();
        pools.apply(new Command.Proved("p", victim.id(), victim.id().low(), "proof"));
        audience.remove(victim);
        audience.tell();
        tasks.run();
        assertThat(eventual.seen()).isEqualTo(pools.pool("p").log().last()).isGreaterThan(before);
    }

    @Test
    void a_signal_hurries_those_it_is_for_and_nobody_else() {
        var one = join(Membership.EVENTUAL);
        var two = join(Membership.EVENTUAL);
        for (int i = 0; i < 200; i++) {
            join(Membership.EVENTUAL);
        }
        tasks.advance(MILLI.multipliedBy(100));
        join(Membership.ORDERED);
        tasks.run();
        var before = List.of(one.told, two.told);
        pools.apply(
                new Command.Operate(
                        "p",
                        two.id(),
                        1,
                        List.of(),
                        new Operation.Signal("hi", false, List.of(one.id()))));
        audience.tell();
        tasks.run();
        assertThat(List.of(one.told, two.told))
                .containsExactly(before.getFirst() + 1, before.getLast());
    }

    @Test
    void one_that_takes_too_little_is_left_out_and_told_when_it_takes_again() {
        var slow = join(Membership.ORDERED);
        tasks.run();
        slow.lags = true;
        int before = slow.told;
        for (int i = 0; i < 50; i++) {
            join(Membership.ORDERED);
            tasks.advance(MILLI);
        }
        assertThat(slow.told).isEqualTo(before);
        slow.lags = false;
        tasks.advance(MILLI.multipliedBy(100));
        assertThat(slow.seen()).isEqualTo(pools.pool("p").log().last());
        assertThat(slow.told).isEqualTo(before + 1);
    }

    @Test
    void nothing_runs_when_all_are_told() {
        join(Membership.ORDERED);
        join(Membership.EVENTUAL);
        tasks.advance(MILLI.multipliedBy(1_000));
        audience.tell();
        tasks.run();
        assertThat(tasks.size()).isZero();
    }

    private Counted join(Membership membership) {
        int n = ++joined;
        var wish =
                new Request.Attach(
                        Protocol.VERSION,
                        new Contact(new NodeId(n, n), List.of(), Map.of()),
                        Location.parse("host@site"),
                        0,
                        -1,
                        membership,
                        new Request.Past(0, 0, "", Optional.empty(), false));
        pools.apply(new Command.Attach("p", n, wish, Command.Recalled.NONE, 0));
        var member = new Counted(n, membership);
        audience.add(member);
        audience.tell();
        return member;
    }
}
