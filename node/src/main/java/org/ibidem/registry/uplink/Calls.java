package org.ibidem.registry.uplink;

import java.time.Duration;
import java.util.Optional;
import org.ibidem.control.ControlLink;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.coordination.OperationRefused;
import org.ibidem.registry.coordination.PoolRestarted;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What this node asks of its hub, and waits for: how a member is reached, and operations. A lost
/// hub may come back within the time limit of each.
final class Calls {
    private static final Duration ASK_AGAIN = Duration.ofMillis(50);
    private static final Duration CANCEL_LIMIT = Duration.ofSeconds(1);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

    /// No number of an operation.
    private static final long NONE = 0;

    private final Uplink uplink;
    private final Guard guard;
    private final Contacts contacts = new Contacts();
    private final Operations operations = new Operations();
    private boolean trying;

    Calls(Uplink uplink, Guard guard) {
        this.uplink = uplink;
        this.guard = guard;
    }

    Optional<Contact> contact(NodeId id, Duration limit) {
        var known = contacts.known(id);
        if (known != null) {
            return Optional.of(known);
        }
        long deadline = guard.deadline(limit);
        do {
            if (guard.await(() -> uplink.link() != null || uplink.ended(), guard.left(deadline))) {
                uplink.requireMember();
                var answer = ask(id, deadline);
                if (answer != null) {
                    return answer.found().map(Reply.Whereabouts::contact);
                }
            }
        } while (guard.left(deadline) > 0);
        throw new HubUnreachable(
                uplink.hub()
                        + " did not say in time how to reach node "
                        + id.brief()
                        + uplink.whyLost());
    }

    /// Has the hub do something.
    ///
    /// @return what came of it
    /// @throws HubUnreachable when nobody knows in time
    Outcome operate(Operation operation, Duration limit) {
        long deadline = guard.deadline(limit);
        long call = begin(operation, deadline);
        try {
            await(call, guard.left(deadline));
            if (waits(operation)) {
                cancel(call);
            }
        } catch (RuntimeException e) {
            giveUp(call, operation);
            throw e;
        }
        var outcome = guard.locked(() -> end(call, operation));
        if (outcome.isPresent()) {
            return outcome.get();
        }
        uplink.requireMember();
        if (waits(operation)) {
            return new Outcome.Taken(false); // should one come late, it is given back
        }
        throw new HubUnreachable(
                uplink.hub()
                        + " has not answered within "
                        + limit.toMillis()
                        + " ms; whether it did what was asked is not known"
                        + uplink.whyLost());
    }

    private long begin(Operation operation, long deadline) {
        while (guard.await(() -> !operations.full() || uplink.ended(), guard.left(deadline))) {
            long call =
                    guard.locked(() -> {
                        uplink.requireMember();
                        // Another thread may have been faster.
                        return operations.full() ? NONE : send(operations.begin(operation));
                    });
            if (call != NONE) {
                return call;
            }
        }
        throw new HubUnreachable(
                uplink.hub() + " has not answered what was asked before" + uplink.whyLost());
    }

    private void await(long call, long nanos) {
        guard.await(() -> operations.ended(call) || uplink.ended(), nanos);
    }

    private static boolean waits(Operation operation) {
        return operation instanceof Operation.Take(_, var wait) && wait;
    }

    /// The thread was interrupted: what comes of the operation, or has come, is undone.
    private void giveUp(long call, Operation operation) {
        guard.run(() -> {
            if (waits(operation) && !operations.ended(call)) {
                send(operations.beginAlone(new Operation.Cancel(call)));
            }
            operations.abandon(call);
            undo();
            guard.changed(); // there may be room for another one
        });
    }

    private void undo() {
        operations.takeUndo().forEach(undo -> send(operations.beginAlone(undo)));
        if (operations.owes() && !trying) {
            trying = true;
            uplink.tasks().after(TRY_AGAIN, "have it done", this::tryAgain);
        }
    }

    /// What the hub could not do may be possible by now: it has no room for its state, say.
    private void tryAgain() {
        guard.run(() -> {
            trying = false;
            if (!uplink.ended()) {
                operations.takeOwed().forEach(owed -> send(operations.beginAlone(owed)));
            }
        });
    }

    /// Ends the waiting for a token, and learns whether it was in time. A hub that is away hears of
    /// both when it is back.
    private void cancel(long call) {
        boolean sent =
                guard.locked(() -> {
                    boolean waits = !operations.ended(call);
                    if (waits) {
                        send(operations.beginAlone(new Operation.Cancel(call)));
                    }
                    return waits && uplink.link() != null;
                });
        if (sent) {
            await(call, CANCEL_LIMIT.toNanos());
        }
    }

    private Optional<Outcome> end(long call, Operation operation) {
        boolean forgotten = operations.ended(call);
        var outcome = operations.end(call);
        guard.changed(); // there is room for another one
        if (outcome.isPresent() && outcome.get() instanceof Outcome.Refused(var why)) {
            throw new OperationRefused(why);
        }
        if (outcome.isEmpty() && forgotten && !uplink.ended()) {
            throw new PoolRestarted(
                    "the hub was started again without its state; whether it did what was asked ("
                            + operation
                            + ") is not known");
        }
        return outcome;
    }

    private long send(long call) {
        send(uplink.link(), operations.request(call));
        return call;
    }

    private static void send(@Nullable ControlLink link, Request request) {
        if (link != null) {
            link.send(RequestCoding.encode(request));
        }
    }

    // What the reading task calls, under the lock.

    /// Sends what has no answer yet over a new link.
    ///
    /// @param forgotten whether the hub has begun anew
    /// @param recheck whether to ask for those that the hub does not tell about on its own
    void attached(ControlLink link, boolean forgotten, boolean recheck) {
        if (forgotten) {
            operations.forgotten();
            contacts.clear();
        }
        operations.unanswered().forEach(call -> send(link, operations.request(call)));
        if (recheck) {
            contacts.all()
                    .forEach(found ->
                            send(
                                    link,
                                    new Request.Lookup(
                                            contacts.askAgain(found), found.contact().id())));
        }
    }

    void lost() {
        contacts.lost();
    }

    /// The hub has settled an operation.
    ///
    /// @return the result of an election, if it says one
    Optional<PoolEvent.Elected> settled(Reply.Settled reply) {
        var elected = operations.elected(reply.call(), reply.outcome());
        operations.settled(reply.call(), reply.outcome());
        undo();
        return elected;
    }

    /// A lookup was answered.
    ///
    /// @return who is gone by that
    @Nullable Member found(Reply.Found reply) {
        return contacts.answered(reply);
    }

    void forget(NodeId id) {
        contacts.forget(id);
    }

    /// Asks once.
    ///
    /// @return null when the link was lost before the answer, or there were too many questions: ask
    ///   again
    private Reply.@Nullable Found ask(NodeId id, long deadline) {
        var at = guard.locked(uplink::link);
        int call = at == null ? 0 : guard.locked(() -> contacts.ask(id));
        if (at == null || call == 0) {
            guard.await(
                    () -> uplink.link() != at, Math.min(guard.left(deadline), ASK_AGAIN.toNanos()));
            return null;
        }
        try {
            send(at, new Request.Lookup(call, id));
            guard.await(
                    () -> contacts.answer(call) != null || uplink.link() != at,
                    guard.left(deadline));
            return guard.locked(() -> learn(contacts.answer(call)));
        } finally {
            guard.run(() -> contacts.close(call));
        }
    }

    private Reply.@Nullable Found learn(Reply.@Nullable Found found) {
        if (found != null) {
            // When a visitor is gone nobody says so.
            found.found()
                    .filter(it ->
                            it.member().filter(member -> uplink.follows(member.id())).isPresent())
                    .ifPresent(contacts::learn);
        }
        return found;
    }
}
