package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;

/// Random commands from a seed; a failure names its seed.
class PoolsPropertyTest {
    private static final int COMMANDS = 400;
    private static final String[] POOLS = {"a", "b"};

    @Test
    void the_same_commands_give_the_same_changes() {
        seeds(seed -> assertThat(new Run(seed).go()).isEqualTo(new Run(seed).go()));
    }

    @Test
    void dead_is_final_ranks_are_unique_closed_never_grows_and_the_log_tells_the_state() {
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
        private final Pools pools =
                new Pools(Driven.EPOCH, new Bounds(Bounds.DEFAULT.suspicion(), 2, 12, 64));
        private final Map<String, Reader> readers = new HashMap<>();
        private final List<String> seen = new ArrayList<>();
        private long session;
        private long now;

        Run(long seed) {
            random = new Random(seed);
            now = random.nextLong();
        }

        List<String> go() {
            for (int i = 0; i < COMMANDS; i++) {
                var command = command();
                seen.add(command + " -> " + pools.apply(command));
                for (var name : POOLS) {
                    check(name);
                }
            }
            return seen;
        }

        private void check(String name) {
            var pool = pools.pool(name);
            var reader = readers.get(name);
            if (pool == null) {
                readers.remove(name);
                return;
            }
            if (reader == null || reader.pool != pool) {
                reader = new Reader(pool);
                readers.put(name, reader);
            }
            reader.catchUp(seen);
        }

        private Command command() {
            var pool = POOLS[random.nextInt(POOLS.length)];
            var id = Driven.id(1 + random.nextInt(10));
            now += random.nextLong(6_000_000_000L);
            return switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> attach(pool, id);
                case 4 -> new Command.Leave(pool, id);
                case 5 -> new Command.Proved(pool, id, sessionOf(pool, id), "proof");
                case 6, 7 -> new Command.Lost(pool, id, sessionOf(pool, id), "lost", now);
                case 8 -> new Command.Heard(pool, id, sessionOf(pool, id));
                default -> new Command.Expire(now);
            };
        }

        private Command attach(String pool, NodeId id) {
            var pasts =
                    new Past[] {
                        Past.NONE,
                        Past.NONE,
                        new Past(Driven.EPOCH, random.nextInt(20), "", false),
                        new Past(Driven.BEFORE, 5, "", random.nextBoolean()),
                        new Past(Driven.BEFORE, 5, random.nextInt(4) == 0 ? "was full" : "", true)
                    };
            var past = pasts[random.nextInt(pasts.length)];
            var recalled = new ArrayList<Member>();
            for (int i = random.nextInt(4); past.recalled() && i > 0; i--) {
                recalled.add(
                        new Member(
                                Driven.id(1 + random.nextInt(10)), random.nextInt(6), Driven.HERE));
            }
            var wish =
                    new Request.Attach(
                            Protocol.VERSION,
                            new Contact(id, List.of(), Map.of()),
                            Driven.HERE,
                            random.nextInt(3) * 2,
                            random.nextInt(7) - 1,
                            past);
            return new Command.Attach(pool, ++session, wish, recalled, now);
        }

        private long sessionOf(String name, NodeId id) {
            var pool = pools.pool(name);
            var seat = pool == null ? null : pool.seat(id);
            return seat == null || random.nextInt(8) == 0
                    ? random.nextLong(session + 1)
                    : seat.session;
        }
    }

    /// Follows one pool by its log alone, as a member does, and compares.
    private static final class Reader {
        final Pool pool;
        private final Map<NodeId, Member> members = new HashMap<>();
        private final Set<NodeId> suspected = new HashSet<>();
        private final Set<NodeId> dead = new HashSet<>();
        private long last;
        private boolean closed;

        Reader(Pool pool) {
            this.pool = pool;
        }

        void catchUp(List<String> seen) {
            var news = pool.log.after(last, Integer.MAX_VALUE).orElseThrow();
            for (var change : news) {
                seen.add(++last + " " + change);
                follow(change);
            }
            assertThat(last).isEqualTo(pool.log.last());
            compare();
        }

        private void follow(Change change) {
            switch (change) {
                case PoolEvent.Joined(var member) -> {
                    assertThat(dead).as("dead is final").doesNotContain(member.id());
                    // Only members from before may still come back, and only into a pool that is
                    // being remade.
                    assertThat(closed && pool.recallUntil == null)
                            .as("grows though closed")
                            .isFalse();
                    assertThat(members.put(member.id(), member)).as("joins once").isNull();
                }
                case PoolEvent.Left(var member) -> remove(member);
                case PoolEvent.Died(var member, _) -> {
                    remove(member);
                    dead.add(member.id());
                }
                case PoolEvent.Suspected(var member, _) -> {
                    assertThat(members).containsKey(member.id());
                    assertThat(suspected.add(member.id())).as("suspected once").isTrue();
                }
                case PoolEvent.Restored(var member) ->
                        assertThat(suspected.remove(member.id()))
                                .as("restored only when suspected")
                                .isTrue();
                case PoolEvent.Closed _ -> {
                    assertThat(closed).as("closes once").isFalse();
                    closed = true;
                }
            }
        }

        private void remove(Member member) {
            assertThat(members.remove(member.id())).isEqualTo(member);
            suspected.remove(member.id());
        }

        private void compare() {
            var entries =
                    pool.snapshot().stream().flatMap(part -> part.entries().stream()).toList();
            assertThat(entries)
                    .extracting(entry -> entry.member())
                    .containsExactlyInAnyOrderElementsOf(members.values());
            assertThat(entries)
                    .filteredOn(entry -> entry.suspected())
                    .extracting(entry -> entry.member().id())
                    .containsExactlyInAnyOrderElementsOf(suspected);
            assertThat(entries).extracting(entry -> entry.member().rank()).doesNotHaveDuplicates();
            assertThat(pool.closed().isEmpty()).isEqualTo(!closed);
            assertThat(pool.size == 0 || entries.size() <= pool.size)
                    .as("within its size")
                    .isTrue();
        }
    }
}
