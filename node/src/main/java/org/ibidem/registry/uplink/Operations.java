package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.jspecify.annotations.Nullable;

/// What this node has the hub do: numbered, sent again on every new connection while there is no
/// outcome, and undone where it came after nobody waited any more. Guarded by the uplink's lock.
///
/// This node *stands* in an election when somebody got the outcome of an elect, until the hub has
/// done a later withdraw. An elect that was given up is undone, unless the node stands anyway, or
/// may by another elect that is open: then the end of that one decides. What has to be undone is
/// tried until the hub does it.
final class Operations {
    private static final Outcome DONE = new Outcome.Done();

    private final TreeMap<Long, Open> open = new TreeMap<>();

    /// Where this node stands: the number of the last elect whose outcome somebody got.
    private final Map<String, Long> standing = new HashMap<>();

    private final List<Operation> undo = new ArrayList<>();
    private final List<Operation> owed = new ArrayList<>();
    private long last;

    /// One under way.
    private static final class Open {
        final Operation operation;
        @Nullable Outcome outcome;
        boolean abandoned;
        boolean forgotten;

        /// Of an elect: the hub has done a later withdraw.
        boolean withdrawn;

        /// Nobody waits for it, and it has to be done.
        boolean due;

        Open(Operation operation) {
            this.operation = operation;
        }
    }

    /// Each of those there are may have to be cancelled, which is an operation, too.
    boolean full() {
        return open.size() + owed.size() >= Protocol.MOST_OPEN / 2;
    }

    /// Begins an operation whose outcome somebody waits for.
    ///
    /// @return its number
    long begin(Operation operation) {
        return begin(new Open(operation));
    }

    private long begin(Open one) {
        open.put(++last, one);
        return last;
    }

    /// Begins one that nobody waits for. Refused, it is tried again.
    long beginAlone(Operation operation) {
        var one = new Open(operation);
        one.abandoned = true;
        one.due = true;
        return begin(one);
    }

    /// Numbers of the elects that are open and not refused, and that no withdraw has come after.
    private LongStream elects(String election) {
        var elect = new Operation.Elect(election);
        return calls(one ->
                one.operation.equals(elect)
                        && !one.withdrawn
                        && !one.forgotten
                        && !(one.outcome instanceof Outcome.Refused));
    }

    /// Number of the last withdraw that was asked for and that the hub has not answered, or 0.
    private long withdraw(String election) {
        var withdraw = new Operation.Withdraw(election);
        return calls(one -> one.operation.equals(withdraw) && !one.due && one.outcome == null)
                .max()
                .orElse(0);
    }

    private LongStream calls(Predicate<Open> which) {
        return open.entrySet().stream()
                .filter(one -> which.test(one.getValue()))
                .mapToLong(Map.Entry::getKey);
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
        if (one.operation instanceof Operation.Withdraw(var election) && outcome.equals(DONE)) {
            withdrawn(election, call);
        }
        if (one.abandoned) {
            open.remove(call);
            if (one.due && outcome instanceof Outcome.Refused) {
                owed.add(one.operation);
            } else {
                undo(call, one.operation, outcome);
            }
        } else {
            one.outcome = outcome;
            if (outcome instanceof Outcome.Refused) {
                undo(
                        call,
                        one.operation,
                        outcome); // the end of another one may have been left to it
            }
        }
    }

    private void withdrawn(String election, long call) {
        standing.computeIfPresent(election, (_, elect) -> elect < call ? null : elect);
        for (long elect : elects(election).filter(number -> number < call).toArray()) {
            Objects.requireNonNull(open.get(elect)).withdrawn = true;
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
        electedIn(one).ifPresent(election -> standing.merge(election, call, Math::max));
        return Optional.ofNullable(one.outcome);
    }

    /// The election in which this node stands by it once its outcome is taken.
    private static Optional<String> electedIn(Open one) {
        return !one.withdrawn
                        && one.operation instanceof Operation.Elect(var election)
                        && one.outcome instanceof Outcome.Elected
                ? Optional.of(election)
                : Optional.empty();
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
        if (one.outcome != null && !one.withdrawn) {
            undo(call, one.operation, one.outcome);
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

    /// Whether the hub has refused what has to be done.
    boolean owes() {
        return !owed.isEmpty();
    }

    /// What it has refused and still has to be done; taken once.
    List<Operation> takeOwed() {
        var taken = owed.stream().filter(this::isDue).toList();
        owed.clear();
        return taken;
    }

    private boolean isDue(Operation operation) {
        return switch (operation) {
            case Operation.Cancel(var call) -> open.containsKey(call);
            case Operation.Withdraw(var election) -> !stands(election);
            case Operation.Elect(var election) -> standing.containsKey(election);
            default -> true;
        };
    }

    /// Whether this node stands, or may by an elect that is open.
    private boolean stands(String election) {
        long withdraw = withdraw(election);
        return standing.getOrDefault(election, 0L) > withdraw
                || elects(election).anyMatch(elect -> elect > withdraw);
    }

    /// The hub began anew: what may have been done there is gone, and nobody knows whether it was.
    /// What does no harm twice is done again, and this node stands where it stood.
    void forgotten() {
        owed.clear();
        standing.entrySet().removeIf(one -> one.getValue() < withdraw(one.getKey()));
        open.values().removeIf(one -> one.abandoned);
        var stood = new TreeSet<>(standing.keySet());
        for (var one : open.values()) {
            if (one.outcome == null && !again(one.operation)) {
                one.forgotten = true;
            }
            electedIn(one).filter(election -> withdraw(election) == 0).ifPresent(stood::add);
        }
        stood.forEach(election -> beginAlone(new Operation.Elect(election)));
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

    private void undo(long call, Operation operation, Outcome outcome) {
        switch (operation) {
            case Operation.Take(var tokens, _) -> {
                if (outcome.equals(new Outcome.Taken(true))) {
                    undo.add(new Operation.Add(tokens, 1));
                }
            }
            case Operation.Elect(var election) -> withdraw(call, election);
            case Operation.Withdraw(var election) -> {
                if (outcome instanceof Outcome.Refused) {
                    withdraw(call, election);
                }
            }
            default -> {
                // is done once, and stays so
            }
        }
    }

    /// Unless this node stands, or a later withdraw is open: then the end of that one decides.
    private void withdraw(long call, String election) {
        if (call > withdraw(election) && !stands(election)) {
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
