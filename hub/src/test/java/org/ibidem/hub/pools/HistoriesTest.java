package org.ibidem.hub.pools;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Every history of a small world, up to a length (with `ibidem.full`, of two members, any length):
/// from each state that can be reached, everything that can happen, with all that has to hold of
/// one step. States that were met before are not continued, for their future is the same.
@Tag("slow")
@Timeout(1200)
class HistoriesTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");

    /// Two members have about 98 000 states; then nothing new happens any more.
    private static final int WITHOUT_END = Integer.MAX_VALUE;

    @Test
    void every_short_history_of_two_members_keeps_all_promises() {
        explore(World.begin(2), FULL ? WITHOUT_END : 6);
    }

    @Test
    void every_very_short_history_of_three_members_keeps_all_promises() {
        explore(World.begin(3), FULL ? 8 : 5);
    }

    @Test
    void every_short_history_of_a_pool_with_a_size_and_a_past_keeps_all_promises() {
        explore(World.beginSized(3), FULL ? 7 : 4);
    }

    private record Reached(World world, int length, String path) {}

    private static void explore(World begin, int longest) {
        var seen = new HashSet<String>();
        var open = new ArrayDeque<Reached>();
        open.add(new Reached(begin, 0, ""));
        seen.add(open.getFirst().world.state());
        long steps = 0;
        while (!open.isEmpty()) {
            var from = open.removeFirst();
            for (var command : from.world.next()) {
                steps++;
                var path = from.path + "\n" + command;
                var after = step(from.world, command, path);
                if (from.length + 1 < longest && seen.add(after.state())) {
                    open.add(new Reached(after, from.length + 1, path));
                }
            }
        }
        System.out.printf("histories of %s: %d states, %d steps%n", begin, seen.size(), steps);
        assertThat(seen).hasSizeGreaterThan(500);
    }

    private static World step(World before, Command command, String path) {
        try {
            var after = before.copy();
            if (command instanceof Command.Expire(var now)) {
                after = after.at(now);
            }
            var answer = after.pools.apply(command);
            var deliveries = after.pools.takeDeliveries();
            requireToldRightly(before, command, after);
            requireDeterministic(before, command, after, answer);
            requireSound(after, deliveries);
            if (command instanceof Command.Attach attach) {
                requireSeated(before, attach, after, answer);
            }
            if (command instanceof Command.Operate operate) {
                requireOnce(after, operate, answer);
                requireRight(before, operate.operation(), answer);
            }
            return after;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("after" + path, e);
        }
    }

    /// The new changes lead from what was to what is, and each was allowed where it stands.
    private static void requireToldRightly(World before, Command command, World after) {
        var was = before.pools.pool(World.POOL);
        var is = after.pools.pool(World.POOL);
        if (was == null || is == null || is.log.last() < was.log.last()) {
            return;
        }
        var knowledge = Knowledge.of(was);
        for (var entry : is.log.after(was.log.last(), Integer.MAX_VALUE)) {
            var change = entry.change();
            requireAllowed(was, knowledge, change);
            if (change instanceof PoolEvent.Joined && !remembers(command)) {
                assertThat(was.closed()).as("closed never grows").isEmpty();
            }
            knowledge.apply(change);
        }
        assertThat(knowledge).as("what was told").isEqualTo(Knowledge.of(is));
    }

    /// Who was there before the hub forgot its state comes back into what was closed then.
    private static boolean remembers(Command command) {
        return command instanceof Command.Attach attach && attach.wish().past().recalled();
    }

    /// Who is accepted has its seat, on its connection and at the rank it wanted; who is not has
    /// changed nothing.
    private static void requireSeated(
            World before, Command.Attach attach, World after, Answer answer) {
        if (!(answer instanceof Answer.Accepted(var member, var size, _, _))) {
            assertThat(Arrays.equals(after.image(), before.image())).as("unchanged").isTrue();
            return;
        }
        var id = attach.wish().contact().id();
        var pool = after.pools.pool(World.POOL);
        assertThat(member.id()).isEqualTo(id);
        assertThat(pool.seat(id).member).isEqualTo(member);
        assertThat(pool.seat(id).session).isEqualTo(attach.session());
        assertThat(pool.seat(id).lost()).as("out of contact").isFalse();
        assertThat(size).isEqualTo(pool.size);
        var was = before.pools.pool(World.POOL);
        if (was == null || was.seat(id) == null) {
            assertThat(attach.wish().rank()).as("the rank wanted").isIn(-1, member.rank());
        } else {
            assertThat(member).as("the same member").isEqualTo(was.seat(id).member);
        }
    }

    private static void requireAllowed(Pool was, Knowledge known, PoolEvent.Change change) {
        var untouched = known.copy();
        untouched.apply(change);
        boolean news = change instanceof PoolEvent.Signalled || !untouched.equals(known);
        assertThat(news).as("says something new: " + change).isTrue();
        if (change instanceof PoolEvent.Joined(var member)) {
            assertThat(was.death(member.id())).as("dead is final").isNull();
        }
        if (change instanceof PoolEvent.Elected(var name, _, var term)) {
            var race = was.races.races.get(name);
            assertThat(term).as("terms grow").isGreaterThan(race == null ? 0 : race.term);
        }
    }

    /// The same command does the same again, and travels through its coding unchanged.
    private static void requireDeterministic(
            World before, Command command, World after, Answer answer) {
        var again = before.copy();
        var decoded = CommandCoding.decode(CommandCoding.encode(command));
        assertThat(decoded).isEqualTo(command);
        assertThat(again.pools.apply(decoded)).isEqualTo(answer);
        assertThat(Arrays.equals(Image.of(again.pools), after.image()))
                .as("the same pools")
                .isTrue();
    }

    /// What must hold of every state.
    private static void requireSound(World world, List<Pools.Delivery> deliveries) {
        var pool = world.pools.pool(World.POOL);
        if (pool == null) {
            assertThat(world.pools.members()).isZero();
            return;
        }
        assertThat(world.pools.members()).isEqualTo(pool.seats().size()).isPositive();
        assertThat(pool.seats()).extracting(seat -> seat.member.rank()).doesNotHaveDuplicates();
        if (pool.size > 0) {
            assertThat(pool.seats())
                    .hasSizeLessThanOrEqualTo(pool.size)
                    .allSatisfy(seat ->
                            assertThat(seat.member.rank()).as("rank").isBetween(0, pool.size - 1));
            assertThat(pool.full() && pool.closed().isEmpty()).as("full and not closed").isFalse();
        }
        pool.races.races.forEach((name, race) -> {
            assertThat(pool.seats.keySet()).as("who stands").containsAll(race.candidates);
            assertThat(race.winner == null).as("vacant").isEqualTo(race.candidates.isEmpty());
            assertThat(race.winner == null || race.candidates.contains(race.winner.id()))
                    .as("the winner stands")
                    .isTrue();
        });
        pool.supplies.supplies.forEach((name, supply) -> {
            assertThat(supply.count == 0 || supply.waiters.isEmpty())
                    .as("nobody waits while there are tokens")
                    .isTrue();
            assertThat(supply.count > 0 || !supply.waiters.isEmpty()).as("no litter").isTrue();
        });
        requireWaitersAndLedgersAgree(pool);
        for (var delivery : deliveries) {
            assertThat(pool.seat(delivery.to()).ledger.outcome(delivery.call()))
                    .contains(delivery.outcome());
        }
    }

    private static void requireWaitersAndLedgersAgree(Pool pool) {
        var waiters = new HashSet<Supplies.Waiter>();
        pool.supplies.supplies.values().forEach(supply -> waiters.addAll(supply.waiters));
        var waiting = new HashSet<Supplies.Waiter>();
        for (var seat : pool.seats()) {
            World.waiting(seat)
                    .forEach(call -> waiting.add(new Supplies.Waiter(seat.member.id(), call)));
        }
        assertThat(waiters).isEqualTo(waiting);
    }

    /// Sent again, an operation has the same outcome and does nothing.
    private static void requireOnce(World after, Command.Operate command, Answer answer) {
        var again = after.pools.apply(command);
        assertThat(after.pools.takeDeliveries()).isEmpty();
        assertThat(Arrays.equals(Image.of(after.pools), after.image())).as("sent again").isTrue();
        var pool = after.pools.pool(World.POOL);
        if (pool != null && pool.seat(command.id()) != null) { // it may have ended itself
            assertThat(again).as("the same answer").isEqualTo(answer);
        }
    }

    /// The outcome is the one that the state before calls for.
    private static void requireRight(World before, Operation operation, Answer answer) {
        var pool = before.pools.pool(World.POOL);
        long tokens = pool.supplies.count("t");
        switch (operation) {
            case Operation.Next(var name, _) ->
                    requireValue(answer, pool.sequences.getOrDefault(name, 0L));
            case Operation.Take(_, var waits) -> {
                if (tokens > 0 || !waits) {
                    assertThat(answer).isEqualTo(new Answer.Settled(new Outcome.Taken(tokens > 0)));
                } else {
                    assertThat(answer).isEqualTo(new Answer.Done());
                }
            }
            case Operation.Set _ -> requireValue(answer, tokens);
            case Operation.Elect(var name) -> {
                var race = pool.races.races.get(name);
                if (race != null && race.winner != null) {
                    assertThat(answer)
                            .as("there is one winner")
                            .isEqualTo(
                                    new Answer.Settled(
                                            new Outcome.Elected(race.winner, race.term)));
                }
            }
            default -> assertThat(answer).isNotNull();
        }
    }

    private static void requireValue(Answer answer, long value) {
        assertThat(answer).isEqualTo(new Answer.Settled(new Outcome.Value(value)));
    }
}
