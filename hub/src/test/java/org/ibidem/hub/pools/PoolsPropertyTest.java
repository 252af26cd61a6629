package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongConsumer;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Long random histories from a seed, which a failure names; [HistoriesTest] has all the short
/// ones.
class PoolsPropertyTest {
    private static final int COMMANDS = 400;
    private static final String[] POOLS = {"a", "b"};
    private static final Limits LIMITS = new Limits(30_000_000_000L, 2, 12, 64);

    @Test
    @Tag("slow")
    void the_same_commands_give_the_same_pools() {
        seeds(seed -> assertThat(new Run(seed).go()).isEqualTo(new Run(seed).go()));
    }

    @Test
    @Tag("slow")
    void what_was_written_down_and_read_back_goes_on_the_same() {
        seeds(seed -> {
            var straight = new Run(seed);
            var interrupted = new Run(seed);
            interrupted.writesDown = true;
            assertThat(interrupted.go()).isEqualTo(straight.go());
        });
    }

    @Test
    @Tag("slow")
    void the_log_tells_the_state_and_what_it_must_not() {
        seeds(seed -> new Run(seed).go());
    }

    private static void seeds(LongConsumer body) {
        int count = Boolean.getBoolean("ibidem.full") ? 5_000 : 60;
        for (long seed = 1; seed <= count; seed++) {
            try {
                body.accept(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with seed " + seed, e);
            }
        }
    }

    /// One run, with the checks after every command.
    private static final class Run {
        private final Random random;
        private Pools pools = new Pools(Driven.EPOCH, LIMITS);
        private final Map<String, Follower> followers = new HashMap<>();
        private final List<String> seen = new ArrayList<>();
        private boolean writesDown;
        private long session;
        private long call;
        private long now;

        Run(long seed) {
            random = new Random(seed);
            now = random.nextLong();
        }

        List<String> go() {
            for (int i = 0; i < COMMANDS; i++) {
                var command = command();
                assertThat(CommandCoding.decode(CommandCoding.encode(command))).isEqualTo(command);
                seen.add(command + " -> " + pools.apply(command) + pools.takeDeliveries());
                for (var name : POOLS) {
                    check(name);
                }
                if (writesDown) {
                    pools = Image.read(Image.of(pools), LIMITS);
                }
            }
            return seen;
        }

        private void check(String name) {
            var pool = pools.pool(name);
            var follower = followers.get(name);
            if (pool == null) {
                followers.remove(name);
                return;
            }
            if (follower == null || follower.number() > pool.log.last()) {
                follower = new Follower();
                followers.put(name, follower);
            }
            for (var change : follower.catchUp(pool)) {
                seen.add(change.toString());
            }
            follower.requireSame(pool);
        }

        private Command command() {
            var pool = POOLS[random.nextInt(POOLS.length)];
            var id = Driven.id(1 + random.nextInt(10));
            now += random.nextLong(6_000_000_000L);
            return switch (random.nextInt(16)) {
                case 0, 1, 2, 3 -> attach(pool, id);
                case 4 -> new Command.Leave(pool, id);
                case 5 -> new Command.Proved(pool, id, sessionOf(pool, id), "proof");
                case 6, 7 -> new Command.Lost(pool, id, sessionOf(pool, id), "lost", now);
                case 8 -> new Command.Heard(pool, id, sessionOf(pool, id));
                case 9 ->
                        random.nextInt(8) > 0 ? new Command.Expire(now) : new Command.Restart(now);
                default ->
                        new Command.Operate(
                                pool, id, ++call - random.nextInt(2), List.of(), operation());
            };
        }

        private Operation operation() {
            var name = random.nextBoolean() ? "x" : "y";
            return switch (random.nextInt(14)) {
                case 0, 1, 2 -> new Operation.Elect(name);
                case 3 -> new Operation.Withdraw(name);
                case 4 -> new Operation.Next(name, 1 + random.nextInt(3));
                case 5, 6 -> new Operation.Add(name, 1 + random.nextInt(2));
                case 7 -> new Operation.Set(name, random.nextInt(2));
                case 8, 9 -> new Operation.Take(name, random.nextBoolean());
                case 10 -> new Operation.Cancel(random.nextLong(call + 1));
                case 11 ->
                        new Operation.Signal(
                                "hello",
                                random.nextBoolean(),
                                List.of(Driven.id(1 + random.nextInt(10))));
                case 12 -> new Operation.AssumeDead(Driven.id(1 + random.nextInt(10)), "why");
                default ->
                        random.nextInt(8) > 0
                                ? new Operation.Count(name)
                                : new Operation.Terminate();
            };
        }

        private Command attach(String pool, NodeId id) {
            var none = Optional.<Member>empty();
            var pasts =
                    new Past[] {
                        Past.NONE,
                        Past.NONE,
                        new Past(Driven.EPOCH, random.nextInt(20), "", none, false),
                        new Past(Driven.BEFORE, 5, "", none, random.nextBoolean()),
                        new Past(
                                Driven.BEFORE,
                                5,
                                random.nextInt(4) == 0 ? "was full" : "",
                                none,
                                true)
                    };
            var past = pasts[random.nextInt(pasts.length)];
            var recalled = new ArrayList<Member>();
            var results = new ArrayList<PoolEvent.Elected>();
            for (int i = random.nextInt(4); past.recalled() && i > 0; i--) {
                var member =
                        new Member(
                                Driven.id(1 + random.nextInt(10)), random.nextInt(6), Driven.HERE);
                recalled.add(member);
                results.add(new PoolEvent.Elected("x", member, 1 + random.nextInt(4)));
            }
            var wish =
                    new Request.Attach(
                            Protocol.VERSION,
                            new Contact(id, List.of(), Map.of()),
                            Driven.HERE,
                            random.nextInt(3) * 2,
                            random.nextInt(7) - 1,
                            Membership.ORDERED,
                            past);
            return new Command.Attach(pool, ++session, wish, new Recalled(recalled, results), now);
        }

        private long sessionOf(String name, NodeId id) {
            var pool = pools.pool(name);
            var seat = pool == null ? null : pool.seat(id);
            return seat == null || random.nextInt(8) == 0
                    ? random.nextLong(session + 1)
                    : seat.session;
        }
    }
}
