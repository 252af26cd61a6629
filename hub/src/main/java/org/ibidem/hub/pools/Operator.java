package org.ibidem.hub.pools;

import java.util.List;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.jspecify.annotations.Nullable;

/// Does what one member wants done, once.
final class Operator {
    private static final Answer WAITS = new Answer.Done();
    private static final Outcome DONE = new Outcome.Done();

    private final Pools pools;
    private final Pool pool;
    private final Seat seat;

    Operator(Pools pools, Pool pool, Seat seat) {
        this.pools = pools;
        this.pool = pool;
        this.seat = seat;
    }

    Answer obey(Command.Operate command) {
        long call = command.call();
        seat.ledger.settle(call, command.open());
        if (!seat.ledger.knows(call)) {
            if (seat.ledger.full()) {
                return new Answer.Settled(
                        refused("this member has " + Protocol.MOST_OPEN + " operations under way"));
            }
            seat.ledger.begin(call);
            var outcome = outcome(call, command.operation());
            if (outcome != null) {
                seat.ledger.finish(call, outcome);
            }
        }
        return answer(call);
    }

    /// What became of an operation that was made before. One that the ledger does not know any more
    /// was refused: the member has no answer to it, so an outcome would still be kept.
    Answer answer(long call) {
        if (!seat.ledger.isOpen(call)) {
            return new Answer.Settled(refused("it was refused when it was asked for first"));
        }
        return seat.ledger.outcome(call).<Answer>map(Answer.Settled::new).orElse(WAITS);
    }

    /// Null: it waits.
    private @Nullable Outcome outcome(long call, Operation operation) {
        return switch (operation) {
            case Operation.Elect(var name) -> elect(name);
            case Operation.Withdraw(var name) ->
                    done(pool.races.withdraw(name, seat.member.id(), pool::member));
            case Operation.Next(var name, var count) -> next(name, count);
            case Operation.Add(var name, var count) -> add(name, count);
            case Operation.Set(var name, var count) -> set(name, count);
            case Operation.Take(var name, var wait) -> take(name, wait, call);
            case Operation.Count(var name) -> new Outcome.Value(pool.supplies.count(name));
            case Operation.Cancel(var other) -> cancel(other);
            case Operation.Signal(var signal, var toAll, var to) ->
                    new Outcome.Value(pool.signal(seat.member, signal, toAll ? null : to));
            case Operation.AssumeDead(var id, var why) -> {
                var other = pool.seat(id);
                if (other != null) {
                    pools.die(pool, other, "assumed dead by " + seat.member + ": " + why);
                }
                yield DONE;
            }
            case Operation.Close(var why) -> {
                pool.close("closed by " + seat.member + ": " + why);
                yield DONE;
            }
            case Operation.Terminate() -> {
                pool.terminate(seat.member);
                yield DONE;
            }
        };
    }

    private Outcome elect(String name) {
        if (pool.races.full(name)) {
            return full("elections");
        }
        pool.addAll(pool.races.stand(name, seat.member));
        var result = pool.races.result(name);
        return new Outcome.Elected(result.winner(), result.term());
    }

    private Outcome next(String name, int count) {
        long first = pool.sequences.getOrDefault(name, 0L);
        if (!pool.sequences.containsKey(name) && pool.sequences.size() >= Protocol.MOST_NAMES) {
            return full("sequences");
        }
        if (first > Long.MAX_VALUE - count) {
            return refused("sequence '" + name + "' has come to its end at " + first);
        }
        pool.sequences.put(name, first + count);
        return new Outcome.Value(first);
    }

    private Outcome add(String name, long count) {
        long before = pool.supplies.count(name);
        if (before > Long.MAX_VALUE - count) {
            return refused(
                    "there are " + before + " tokens '" + name + "', too many to add " + count);
        }
        if (pool.supplies.full(name)) {
            return full("names of tokens");
        }
        supply(name, before + count);
        return new Outcome.Value(pool.supplies.count(name));
    }

    private Outcome set(String name, long count) {
        long before = pool.supplies.count(name);
        if (count > 0 && pool.supplies.full(name)) {
            return full("names of tokens");
        }
        supply(name, count);
        return new Outcome.Value(before);
    }

    private void supply(String name, long count) {
        for (var served : pool.supplies.set(name, count)) {
            settle(served, new Outcome.Taken(true));
        }
    }

    private @Nullable Outcome take(String name, boolean wait, long call) {
        if (pool.supplies.take(name)) {
            return new Outcome.Taken(true);
        }
        if (!wait) {
            return new Outcome.Taken(false);
        }
        if (pool.supplies.full(name)) {
            return full("names of tokens");
        }
        if (pool.supplies.crowded()) {
            return refused("too many members of the pool wait for tokens");
        }
        pool.supplies.await(name, new Supplies.Waiter(seat.member.id(), call));
        return null;
    }

    private Outcome cancel(long other) {
        var waiter = new Supplies.Waiter(seat.member.id(), other);
        if (pool.supplies.cancel(waiter)) {
            settle(waiter, new Outcome.Taken(false));
        }
        return DONE;
    }

    private void settle(Supplies.Waiter waiter, Outcome outcome) {
        var theirs = pool.seat(waiter.id());
        if (theirs != null) {
            theirs.ledger.finish(waiter.call(), outcome);
            pools.deliver(new Pools.Delivery(pool.name, waiter.id(), waiter.call(), outcome));
        }
    }

    private Outcome done(List<Change> changes) {
        pool.addAll(changes);
        return DONE;
    }

    private Outcome full(String what) {
        return refused(
                "pool '"
                        + pool.name
                        + "' has as many "
                        + what
                        + " as it can: "
                        + Protocol.MOST_NAMES);
    }

    private static Outcome refused(String why) {
        return new Outcome.Refused(Protocol.clip(why));
    }
}
