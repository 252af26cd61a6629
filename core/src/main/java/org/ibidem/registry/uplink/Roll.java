package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request.Past;
import org.jspecify.annotations.Nullable;

/// What the hub told of the pool, connection after connection: the view, and up to which number it
/// goes. Not safe for several threads.
final class Roll {
    private final View view = new View();
    private final List<Reply.Entry> entries = new ArrayList<>();
    private final List<PoolEvent.Elected> elections = new ArrayList<>();
    private Reply.@Nullable Welcome welcome;
    private long last = -1;
    private boolean current;
    private boolean complete;

    View view() {
        return view;
    }

    /// What the hub said when it took the node in.
    Reply.Welcome welcome() {
        return Objects.requireNonNull(welcome, "the node has not joined yet");
    }

    /// Begins anew on another connection; what is known of the same life of the hub's state still
    /// counts.
    ///
    /// @return whether the hub has forgotten what it knew when the node was last connected
    boolean begin(Reply.Welcome now) {
        boolean first = welcome == null;
        boolean same = welcome != null && welcome.epoch() == now.epoch();
        welcome = now;
        last = same ? last : -1;
        current = false;
        entries.clear();
        elections.clear();
        if (!first && !same) {
            view.forgetTerms();
        }
        return !first && !same;
    }

    /// Takes in a part of a snapshot.
    ///
    /// @return the changes that lead to it, once the last part is there; not taken in yet
    /// @throws Malformed when it has no end
    List<Change> take(Reply.Snapshot part) {
        if (entries.size() + part.entries().size() > Protocol.MOST_MEMBERS
                || elections.size() + part.elections().size() > Protocol.MOST_NAMES) {
            throw new Malformed("a snapshot without end");
        }
        entries.addAll(part.entries());
        elections.addAll(part.elections());
        if (part.more()) {
            return List.of();
        }
        var changes = view.difference(part.facts(), new View.Snapshot(entries, elections));
        entries.clear();
        elections.clear();
        last = part.number();
        return changes;
    }

    /// Takes in changes.
    ///
    /// @return them; not taken in yet
    /// @throws Malformed when some are missing before them
    List<Change> take(Reply.Events events) {
        if (events.after() != last) {
            throw new Malformed(
                    "changes after number " + events.after() + ", but the last one was " + last);
        }
        last = events.upto();
        return events.changes();
    }

    /// Whether all is known that had happened when the hub took the node in, for the first time on
    /// this connection.
    boolean caughtUp() {
        if (current || last < welcome().number()) {
            return false;
        }
        current = true;
        complete = true;
        return true;
    }

    /// Whether the view was ever complete.
    boolean complete() {
        return complete;
    }

    /// What to tell a hub when attaching again.
    Past past() {
        return new Past(
                welcome().epoch(), Math.max(0, last), view.closed(), view.terminated(), false);
    }
}
