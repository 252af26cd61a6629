package org.ibidem.port;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.ibidem.port.PortType.Connections;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Who has a place at a receive port, from the answer to the request on until its connection is
/// over; and in which order the connections of one send port are read: one after the other.
final class Places {
    /// Connections of one send port that may wait behind its first: each has memory of its own.
    static final int MOST_BEHIND = 16;

    private final Connections connections;
    private final Runnable changed;
    private final Map<Sender, Queue<Claim>> claims = new HashMap<>();

    /// Somebody else would have a place.
    private boolean awaited;

    /// @param changed called when one who did not get a place may ask again
    Places(Connections connections, Runnable changed) {
        this.connections = connections;
        this.changed = changed;
    }

    /// A send port; others of its node may have the same name.
    ///
    /// @param number which it is at its node
    record Sender(NodeId node, long number) {}

    /// A place that a connection has.
    static final class Claim {
        final Origin origin;
        final Sender sender;
        private @Nullable Input input;

        Claim(Origin origin, Sender sender) {
            this.origin = origin;
            this.sender = sender;
        }
    }

    /// Keeps a place, if there is one. A send port that asks again has ended the connection it had.
    synchronized Place keep(Origin origin, Sender sender) {
        if (!connections.severalSenders() && !claims.isEmpty()) {
            return occupied(sender);
        }
        var mine = claims.computeIfAbsent(sender, _ -> new ArrayDeque<>());
        if (mine.size() > MOST_BEHIND) {
            awaited = true;
            return new Place.Kept(
                    mine.size()
                            + " connections of "
                            + origin
                            + " have ended, of which not all was received: receive it first");
        }
        var claim = new Claim(origin, sender);
        mine.add(claim);
        return new Place.Reserved(claim);
    }

    private Place occupied(Sender sender) {
        var only = claims.values().iterator().next().element();
        var input = only.input;
        if (input == null) {
            awaited = true;
            return new Place.Kept(
                    "it is " + connections + ", and " + only.origin + " is about to connect to it");
        }
        if (input.channel.isLeaving() || only.sender.equals(sender)) {
            awaited = true;
            return new Place.Kept(
                    "it is "
                            + connections
                            + ", and not all was received of what "
                            + only.origin
                            + " had sent before it ended its connection: receive it first, or use a"
                            + " type for many senders");
        }
        return new Place.Taken(
                "it is "
                        + connections
                        + " and connected to "
                        + only.origin
                        + " already: disconnect that one first, or use a type for many senders");
    }

    /// The connection is there.
    void there(Claim claim, Input input) {
        synchronized (this) {
            claim.input = input;
        }
        tellWhoAwaits();
    }

    /// It is over, or could not be made.
    void over(Claim claim) {
        synchronized (this) {
            var mine = claims.get(claim.sender);
            if (mine == null || !mine.remove(claim)) {
                return;
            }
            if (mine.isEmpty()) {
                claims.remove(claim.sender);
            }
        }
        tellWhoAwaits();
    }

    synchronized boolean isEmpty() {
        return claims.isEmpty();
    }

    /// Whether its turn has come among those of its send port.
    synchronized boolean isFirst(Claim claim) {
        var mine = claims.get(claim.sender);
        return mine == null || claim.equals(mine.peek()) || !mine.contains(claim);
    }

    private void tellWhoAwaits() {
        synchronized (this) {
            if (!awaited) {
                return;
            }
            awaited = false;
        }
        changed.run();
    }
}
