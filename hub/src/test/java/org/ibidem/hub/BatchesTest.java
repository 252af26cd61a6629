package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.Knowledge;
import org.ibidem.hub.pools.Limits;
import org.ibidem.hub.pools.Pool;
import org.ibidem.hub.pools.Pools;
import org.ibidem.hub.pools.World;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// Whatever happens, and whenever somebody listens: no gap, no double, and in the end the pool as
/// it is.
class BatchesTest {
    private static final NodeId ONE = new NodeId(1, 1);

    /// Somebody who is told, and what it makes of it.
    private static final class Told implements Listener {
        final NodeId id;
        final Membership membership;
        final Set<NodeId> dealings = new HashSet<>();
        final Knowledge knowledge = new Knowledge();
        final List<PoolEvent.Change> changes = new ArrayList<>();
        private final List<Reply.Snapshot> parts = new ArrayList<>();
        int messages;
        boolean missed;
        final List<Reply.Dead> dead = new ArrayList<>();
        private long known = -1;
        private long seen = -1;

        Told(NodeId id, Membership membership) {
            this.id = id;
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
            return dealings.contains(member) || member.equals(id);
        }

        @Override
        public long known() {
            return known;
        }

        @Override
        public long seen() {
            return seen;
        }

        @Override
        public void hurry(long number) {}

        @Override
        public boolean patient() {
            return false;
        }

        @Override
        public boolean lags() {
            return false;
        }

        @Override
        public void tell(Batch batch) {
            batch.messages().forEach(this::take);
            seen = batch.upto();
            if (!batch.messages().isEmpty()) {
                assertThat(known).as("what it was told leads here").isEqualTo(seen);
            }
        }

        void catchUp(Pool pool) {
            while (seen < pool.log().last()) {
                var batch = new Batches(pool).next(this);
                assertThat(batch.upto()).as("it goes on").isGreaterThan(seen);
                tell(batch);
            }
        }

        private void take(byte[] message) {
            messages++;
            switch (ReplyCoding.decode(message)) {
                case Reply.Events(var after, var upto, var news) -> {
                    assertThat(after).as("no gap, no double").isEqualTo(known);
                    known = upto;
                    news.forEach(knowledge::apply);
                    changes.addAll(news);
                }
                case Reply.Snapshot part -> take(part);
                case Reply other -> throw new AssertionError("not expected: " + other);
            }
        }

        private void take(Reply.Snapshot part) {
            parts.add(part);
            if (!part.more()) {
                missed |= part.facts().missed();
                parts.forEach(each -> dead.addAll(each.dead()));
                knowledge.replace(List.of(), List.of(), part.facts());
                parts.forEach(
                        each -> knowledge.add(each.entries(), each.elections(), each.facts()));
                parts.clear();
                known = part.number();
            }
        }
    }

    @Test
    void all_who_follow_members_know_the_pool_in_the_end_whenever_they_listen() {
        seeds(random -> {
            var world = World.begin(3, 4 + random.nextInt(30));
            var told = new ArrayList<Told>();
            told.add(new Told(ONE, Membership.ORDERED));
            told.add(new Told(new NodeId(2, 2), Membership.EVENTUAL));
            told.add(new Told(new NodeId(3, 3), Membership.NONE));
            var signals = new Signals();
            for (int step = 0; step < 80; step++) {
                var next = world.next();
                world.pools.apply(next.get(random.nextInt(next.size())));
                var pool = world.pools.pool(World.POOL);
                if (pool == null) {
                    return;
                }
                signals.note(pool);
                for (var one : told) {
                    if (random.nextInt(4) == 0) {
                        one.catchUp(pool);
                        var should = Knowledge.of(pool);
                        assertThat(withoutMembers(one))
                                .isEqualTo(
                                        one.membership == Membership.NONE
                                                ? should.withoutMembers()
                                                : should);
                        signals.requireAll(one, pool);
                    }
                }
            }
        });
    }

    @Test
    void who_heard_every_change_is_told_that_it_missed_some_and_who_died_meanwhile() {
        for (var membership : Membership.values()) {
            var pools = new Pools(7, new Limits(30, 4, 64, 8));
            for (int n = 1; n <= 4; n++) {
                join(pools, n);
            }
            var told = new Told(ONE, membership);
            told.catchUp(pools.pool("p"));
            assertThat(told.missed).as("a newcomer has missed nothing").isFalse();
            pools.apply(new Command.Proved("p", new NodeId(3, 3), 3, "reset"));
            pools.apply(new Command.Leave("p", new NodeId(4, 4)));
            for (int call = 1; call <= 10; call++) {
                var wish = call % 2 == 1 ? new Operation.Elect("x") : new Operation.Withdraw("x");
                pools.apply(new Command.Operate("p", ONE, call, List.of(), wish));
            }
            told.catchUp(pools.pool("p"));
            assertThat(told.missed).isEqualTo(membership == Membership.ORDERED);
            assertThat(told.dead)
                    .isEqualTo(
                            membership == Membership.NONE
                                    ? List.of()
                                    : List.of(new Reply.Dead(new NodeId(3, 3), "reset")));
        }
    }

    /// Every signal that there was, and whom it was for.
    private static final class Signals {
        private final Map<Long, Set<NodeId>> sent = new TreeMap<>();
        private long noted;

        void note(Pool pool) {
            for (long number = Math.max(noted + 1, pool.log().first());
                    number <= pool.log().last();
                    number++) {
                var entry = pool.log().at(number);
                if (entry.change() instanceof PoolEvent.Signalled) {
                    var all = new HashSet<NodeId>();
                    pool.seats().forEach(seat -> all.add(seat.member().id()));
                    sent.put(number, entry.to() == null ? all : entry.to());
                }
            }
            noted = pool.log().last();
        }

        /// It got each of those that were for it since it is a member, or was told that some are
        /// lost.
        void requireAll(Told one, Pool pool) {
            var seat = pool.seat(one.id());
            if (seat == null || one.missed) {
                return;
            }
            long due =
                    sent.entrySet().stream()
                            .filter(signal -> signal.getKey() > seat.since())
                            .filter(signal -> signal.getValue().contains(one.id()))
                            .count();
            long got =
                    one.changes.stream()
                            .filter(change -> change instanceof PoolEvent.Signalled)
                            .count();
            assertThat(got).as("signals").isGreaterThanOrEqualTo(due);
        }
    }

    private static Knowledge withoutMembers(Told one) {
        return one.membership == Membership.NONE ? one.knowledge.withoutMembers() : one.knowledge;
    }

    @Test
    void who_asks_for_the_order_gets_every_change_in_it() {
        var pools = pool(5);
        var one = new Told(ONE, Membership.ORDERED);
        one.catchUp(pools.pool("p"));
        pools.apply(new Command.Lost("p", id(3), 3, "lost", 0));
        pools.apply(new Command.Heard("p", id(3), 3));
        pools.apply(new Command.Leave("p", id(5)));
        one.catchUp(pools.pool("p"));
        assertThat(one.changes)
                .extracting(Object::getClass)
                .containsExactly(
                        PoolEvent.Suspected.class, PoolEvent.Restored.class, PoolEvent.Left.class);
    }

    @Test
    void who_does_not_follow_members_costs_nothing_but_hears_of_its_dealings_and_its_signals() {
        var pools = pool(5);
        var one = new Told(ONE, Membership.NONE);
        one.dealings.add(id(3));
        one.catchUp(pools.pool("p"));
        int before = one.messages;
        for (int n = 6; n < 60; n++) {
            join(pools, n);
        }
        pools.apply(new Command.Proved("p", id(4), 4, "proof"));
        one.catchUp(pools.pool("p"));
        assertThat(one.messages).isEqualTo(before);
        pools.apply(new Command.Proved("p", id(3), 3, "proof"));
        operate(pools, 2, new Operation.Signal("hi", false, List.of(ONE)));
        operate(pools, 2, new Operation.Signal("not for you", false, List.of(id(5))));
        operate(pools, 2, new Operation.Elect("e"));
        one.catchUp(pools.pool("p"));
        assertThat(one.changes)
                .extracting(Object::getClass)
                .containsExactly(
                        PoolEvent.Died.class, PoolEvent.Signalled.class, PoolEvent.Elected.class);
    }

    @Test
    void a_signal_for_one_is_no_message_to_the_others() {
        var pools = pool(3);
        var others =
                List.of(new Told(id(2), Membership.ORDERED), new Told(id(3), Membership.EVENTUAL));
        others.forEach(one -> one.catchUp(pools.pool("p")));
        int before = others.stream().mapToInt(one -> one.messages).sum();
        operate(pools, 2, new Operation.Signal("hi", false, List.of(ONE)));
        others.forEach(one -> one.catchUp(pools.pool("p")));
        assertThat(others.stream().mapToInt(one -> one.messages).sum()).isEqualTo(before);
    }

    @Test
    void many_changes_are_few_messages_and_each_fits() {
        var pools = new Pools(7, new Limits(30, 4, 16 * 1024, 8192));
        join(pools, 1);
        var listeners =
                List.of(new Told(ONE, Membership.ORDERED), new Told(ONE, Membership.EVENTUAL));
        listeners.forEach(one -> one.catchUp(pools.pool("p")));
        for (int n = 2; n <= 5_000; n++) {
            join(pools, n);
        }
        for (var one : listeners) {
            one.catchUp(pools.pool("p"));
            assertThat(one.messages).isLessThan(12);
            assertThat(one.knowledge).isEqualTo(Knowledge.of(pools.pool("p")));
        }
        var late = new Told(id(5_000), Membership.ORDERED);
        late.catchUp(pools.pool("p"));
        assertThat(late.messages).as("a snapshot of 5 000").isLessThan(12);
        assertThat(late.knowledge).isEqualTo(Knowledge.of(pools.pool("p")));
    }

    @Test
    void all_at_the_same_number_share_one_message() {
        var pools = pool(3);
        var one = new Told(ONE, Membership.ORDERED);
        var two = new Told(id(2), Membership.ORDERED);
        var batches = new Batches(pools.pool("p"));
        assertThat(batches.next(one).messages().getFirst())
                .isSameAs(batches.next(two).messages().getFirst());
    }

    @Test
    void who_was_away_for_too_long_is_told_that_signals_are_lost_and_only_if_they_are() {
        var pools = new Pools(7, new Limits(30, 4, 100, 4));
        for (int n = 1; n <= 3; n++) {
            join(pools, n);
        }
        var one = new Told(ONE, Membership.EVENTUAL);
        var two = new Told(id(2), Membership.EVENTUAL);
        List.of(one, two).forEach(each -> each.catchUp(pools.pool("p")));
        operate(pools, 3, new Operation.Signal("hi", false, List.of(ONE)));
        for (int n = 4; n < 10; n++) {
            join(pools, n);
        }
        List.of(one, two).forEach(each -> each.catchUp(pools.pool("p")));
        assertThat(one.missed).isTrue();
        assertThat(two.missed).isFalse();
    }

    @Test
    void a_signal_to_one_who_has_just_joined_comes_after_its_snapshot() {
        var pools = pool(3);
        operate(pools, 2, new Operation.Signal("welcome", false, List.of(id(3))));
        operate(pools, 2, new Operation.Signal("all", true, List.of()));
        join(pools, 4);
        var three = new Told(id(3), Membership.EVENTUAL);
        var four = new Told(id(4), Membership.NONE);
        List.of(three, four).forEach(one -> one.catchUp(pools.pool("p")));
        assertThat(three.changes)
                .extracting(change -> ((PoolEvent.Signalled) change).signal())
                .containsExactly("welcome", "all");
        assertThat(four.changes).isEmpty();
        assertThat(three.knowledge).isEqualTo(Knowledge.of(pools.pool("p")));
    }

    @Test
    void who_was_away_for_long_gets_the_signals_that_are_still_kept() {
        var pools = new Pools(7, new Limits(30, 4, 100, 8));
        join(pools, 1);
        join(pools, 2);
        var one = new Told(ONE, Membership.EVENTUAL);
        one.catchUp(pools.pool("p"));
        for (int n = 3; n < 13; n++) {
            join(pools, n);
        }
        operate(pools, 2, new Operation.Signal("kept", false, List.of(ONE)));
        one.catchUp(pools.pool("p"));
        assertThat(one.missed).isFalse();
        assertThat(one.changes)
                .extracting(change -> ((PoolEvent.Signalled) change).signal())
                .containsExactly("kept");
    }

    private interface Body {
        void run(Random random);
    }

    private static void seeds(Body body) {
        for (long seed = 1; seed <= 400; seed++) {
            try {
                body.run(new Random(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with seed " + seed, e);
            }
        }
    }

    private static Pools pool(int members) {
        var pools = new Pools(7, new Limits(30, 4, 100, 1024));
        for (int n = 1; n <= members; n++) {
            join(pools, n);
        }
        return pools;
    }

    private static void join(Pools pools, int n) {
        var wish =
                new Request.Attach(
                        Protocol.VERSION,
                        new Contact(id(n), List.of(), Map.of()),
                        Location.parse("host@site"),
                        0,
                        -1,
                        Membership.ORDERED,
                        new Request.Past(0, 0, "", Optional.empty(), false));
        pools.apply(new Command.Attach("p", n, wish, Command.Recalled.NONE, 0));
    }

    private static void operate(Pools pools, int n, Operation operation) {
        pools.apply(new Command.Operate("p", id(n), System.nanoTime(), List.of(), operation));
    }

    private static NodeId id(int n) {
        return new NodeId(n, n);
    }
}
