package org.ibidem.hub;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.hub.pools.ChangeLog;
import org.ibidem.hub.pools.Merge;
import org.ibidem.hub.pools.Pool;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.MessageSplitter;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;

/// The news of one pool as messages, each encoded once for all who are at the same number and want
/// to know the same. Good for one round, in which the pool does not change.
final class Batches {
    private final Pool pool;
    private final Map<Key, Batch> shared = new HashMap<>();
    private final Map<Whole, Batch> wholes = new HashMap<>();

    private record Key(Membership membership, boolean visits, long known, long seen) {}

    /// What makes one snapshot another.
    ///
    /// @param since number of the last change known to whom it is for
    private record Whole(Membership membership, boolean missed, long since) {}

    Batches(Pool pool) {
        this.pool = pool;
    }

    /// What comes after the change it has seen last: some changes, or the whole pool when too many
    /// were missed.
    Batch next(Listener listener) {
        if (!pool.log().reaches(listener.seen())) {
            return snapshot(listener);
        }
        if (listener.membership() == Membership.NONE) {
            return own(listener, pool.log().last());
        }
        var key =
                new Key(
                        listener.membership(),
                        listener.visits(),
                        listener.known(),
                        listener.seen());
        var forAll = shared.computeIfAbsent(key, _ -> forAll(listener));
        return forAll.forSome() && addressed(listener, forAll.upto())
                ? own(listener, forAll.upto())
                : forAll;
    }

    private Batch snapshot(Listener listener) {
        var membership = listener.membership();
        boolean ordered = membership == Membership.ORDERED && listener.known() >= 0;
        boolean missed = ordered || pool.missed(listener.id(), listener.known());
        boolean told = listener.remembers() && membership != Membership.NONE;
        long since = told ? Math.max(0, listener.known()) : Long.MAX_VALUE;
        var whole = wholes.computeIfAbsent(new Whole(membership, missed, since), this::snapshot);
        var signals = pool.signals(listener.id(), listener.seen());
        return signals.isEmpty() ? whole : with(signals, whole);
    }

    // Signals are no part of a snapshot; those it has not had yet come after it.
    private static Batch with(List<Change> signals, Batch whole) {
        var messages = new ArrayList<>(whole.messages());
        for (var left = signals; !left.isEmpty(); ) {
            int fits = MessageSplitter.fitting(left);
            messages.add(events(whole.upto(), whole.upto(), left.subList(0, fits)));
            left = left.subList(fits, left.size());
        }
        return new Batch(messages, whole.upto(), false);
    }

    private Batch snapshot(Whole whole) {
        boolean follows = whole.membership != Membership.NONE;
        long last = pool.log().last();
        var parts =
                MessageSplitter.snapshot(
                        new Reply.Snapshot(
                                last,
                                false,
                                pool.facts(whole.missed, whole.since),
                                follows ? pool.entries() : List.of(),
                                pool.elections(),
                                pool.deaths(whole.since)));
        return new Batch(parts.stream().map(ReplyCoding::encode).toList(), last, false);
    }

    private Batch forAll(Listener listener) {
        long upto = pool.log().last();
        var changes = forAll(listener, upto);
        for (int fits = MessageSplitter.fitting(changes);
                fits < changes.size();
                fits = MessageSplitter.fitting(changes)) {
            upto = nearer(listener, upto, (double) fits / changes.size());
            changes = forAll(listener, upto);
        }
        boolean forSome = false;
        for (long number = listener.seen() + 1; number <= upto && !forSome; number++) {
            forSome = pool.log().at(number).to() != null;
        }
        return batch(listener, upto, changes, forSome);
    }

    private List<Change> forAll(Listener listener, long upto) {
        var changes = new ArrayList<Change>();
        for (long number = listener.seen() + 1; number <= upto; number++) {
            var entry = pool.log().at(number);
            if (entry.to() == null && mayHear(listener, entry.change())) {
                changes.add(entry.change());
            }
        }
        return listener.membership() == Membership.EVENTUAL ? Merge.of(changes) : changes;
    }

    // Signals are among members.
    private static boolean mayHear(Listener listener, Change change) {
        return !(listener.visits() && change instanceof PoolEvent.Signalled);
    }

    private boolean addressed(Listener listener, long upto) {
        for (long number = listener.seen() + 1; number <= upto; number++) {
            var to = pool.log().at(number).to();
            if (to != null && to.contains(listener.id())) {
                return true;
            }
        }
        return false;
    }

    private Batch own(Listener listener, long most) {
        long upto = most;
        var changes = own(listener.seen(), listener, upto);
        for (int fits = MessageSplitter.fitting(changes);
                fits < changes.size();
                fits = MessageSplitter.fitting(changes)) {
            upto = nearer(listener, upto, (double) fits / changes.size());
            changes = own(listener.seen(), listener, upto);
        }
        return batch(listener, upto, changes, false);
    }

    private List<Change> own(long seen, Listener listener, long upto) {
        var changes = new ArrayList<Change>();
        for (long number = seen + 1; number <= upto; number++) {
            var entry = pool.log().at(number);
            if (entry.concerns(listener.id()) && wanted(entry, listener)) {
                changes.add(entry.change());
            }
        }
        return listener.membership() == Membership.EVENTUAL ? Merge.of(changes) : changes;
    }

    private static boolean wanted(ChangeLog.Entry entry, Listener listener) {
        return listener.membership() != Membership.NONE
                || switch (entry.change()) {
                    case PoolEvent.Left(var member) -> listener.knows(member.id());
                    case PoolEvent.Died(var member, _) -> listener.knows(member.id());
                    case PoolEvent.Joined _, PoolEvent.Suspected _, PoolEvent.Restored _ -> false;
                    default -> true;
                };
    }

    // As far as about so much of it; one change always fits.
    private static long nearer(Listener listener, long upto, double part) {
        long all = upto - listener.seen();
        return listener.seen() + Math.clamp((long) (all * part), 1, all - 1);
    }

    private static Batch batch(
            Listener listener, long upto, List<Change> changes, boolean forSome) {
        return changes.isEmpty()
                ? new Batch(List.of(), upto, forSome)
                : new Batch(List.of(events(listener.known(), upto, changes)), upto, forSome);
    }

    /// A message that leads from one number to another.
    static byte[] events(long known, long upto, List<Change> changes) {
        return ReplyCoding.encode(new Reply.Events(known, upto, changes));
    }
}
