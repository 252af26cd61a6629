package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.jspecify.annotations.Nullable;

/// What this node has the hub do: numbered, sent again on every new connection while there is no
/// outcome, and undone where it came after nobody waited any more. Guarded by the uplink's lock.
final class Operations {
    private final TreeMap<Long, Open> open = new TreeMap<>();
    private final Set<String> standing = new HashSet<>();
    private final List<Operation> undo = new ArrayList<>();
    private long last;

    /// One under way.
    private static final class Open {
        final Operation operation;
        @Nullable Outcome outcome;
        boolean abandoned;
        boolean forgotten;

        Open(Operation operation) {
            this.operation = operation;
        }
    }

    /// Each of those there are may have to be cancelled, which is an operation, too.
    boolean full() {
        return open.size() >= Protocol.MOST_OPEN / 2;
    }

    /// Begins an operation whose outcome somebody waits for.
    ///
    /// @return its number
    long begin(Operation operation) {
        return begin(new Open(operation));
    }

    private long begin(Open one) {
        if (one.operation instanceof Operation.Withdraw(var election)) {
            standing.remove(election);
        }
        open.put(++last, one);
        return last;
    }

    /// Begins one that nobody waits for.
    long beginAlone(Operation operation) {
        var one = new Open(operation);
        one.abandoned = true;
        return begin(one);
    }

    /// What to send for it.
    Request.Operate request(long call) {
        var before = List.copyOf(open.headMap(call).keySet());
        var one = Objects.requireNonNull(open.get(call), "it was begun and is not ended");
        return new Request.Operate(call, before, one.operation);
    }

    /// An outcome came.
    void settled(long call, Outcome outcome) {
        var one = open.get(call);
        if (one == null || one.outcome != null) {
            return;
        }
        if (one.abandoned) {
            open.remove(call);
            undo(one.operation, outcome);
        } else {
            one.outcome = outcome;
            if (one.operation instanceof Operation.Elect(var election)
                    && outcome instanceof Outcome.Elected) {
                standing.add(election);
            }
        }
    }

    /// Has this one's waiting come to an end?
    boolean ended(long call) {
        var one = open.get(call);
        return one == null || one.outcome != null || one.forgotten;
    }

    /// Ends it, if it has its outcome; else nobody waits for it any more.
    Optional<Outcome> end(long call) {
        var one = open.get(call);
        if (one == null) {
            return Optional.empty();
        }
        if (one.outcome == null && !one.forgotten) {
            one.abandoned = true;
            return Optional.empty();
        }
        open.remove(call);
        return Optional.ofNullable(one.outcome);
    }

    /// Nobody waits for its outcome any more: that is undone, now or when it comes.
    void abandon(long call) {
        var one = open.get(call);
        if (one == null) {
            return;
        }
        one.abandoned = true;
        if (one.outcome != null || one.forgotten) {
            open.remove(call);
        }
        if (one.outcome != null) {
            undo(one.operation, one.outcome);
        }
    }

    /// The numbers of those to be sent, or sent again.
    List<Long> unanswered() {
        var calls = new ArrayList<Long>();
        open.forEach((call, one) -> {
            if (one.outcome == null && !one.forgotten) {
                calls.add(call);
            }
        });
        return calls;
    }

    /// What is to be done about outcomes that nobody waited for any more; taken once.
    List<Operation> takeUndo() {
        var taken = List.copyOf(undo);
        undo.clear();
        return taken;
    }

    /// The hub began anew: what may have been done there is gone, and nobody knows whether it was.
    /// What does no harm twice is done again, and this node stands where it stood.
    void forgotten() {
        open.values().removeIf(one -> one.abandoned);
        for (var one : open.values()) {
            if (one.outcome == null && !again(one.operation)) {
                one.forgotten = true;
            }
        }
        List.copyOf(standing).forEach(election -> beginAlone(new Operation.Elect(election)));
    }

    private static boolean again(Operation operation) {
        return switch (operation) {
            case Operation.Elect _,
                    Operation.Withdraw _,
                    Operation.Count _,
                    Operation.AssumeDead _,
                    Operation.Close _,
                    Operation.Terminate _ ->
                    true;
            case Operation.Next _,
                    Operation.Add _,
                    Operation.Set _,
                    Operation.Take _,
                    Operation.Cancel _,
                    Operation.Signal _ ->
                    false;
        };
    }

    private void undo(Operation operation, Outcome outcome) {
        if (operation instanceof Operation.Take(var tokens, _)
                && outcome instanceof Outcome.Taken(var got)
                && got) {
            undo.add(new Operation.Add(tokens, 1));
        } else if (operation instanceof Operation.Elect(var election)
                && outcome instanceof Outcome.Elected
                && !standing.contains(election)) {
            undo.add(new Operation.Withdraw(election));
        }
    }

    /// What an outcome says about an election.
    ///
    /// @param call of the operation
    Optional<PoolEvent.Elected> elected(long call, Outcome outcome) {
        var one = open.get(call);
        return one != null
                        && one.operation instanceof Operation.Elect(var election)
                        && outcome instanceof Outcome.Elected(var winner, var term)
                ? Optional.of(new PoolEvent.Elected(election, winner, term))
                : Optional.empty();
    }
}
