package org.ibidem.registry.uplink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What the hub told of the pool, connection after connection: the view, and up to which number it
/// goes. Not safe for several threads.
final class Roll {
    private final View view = new View();
    private final List<Reply.Entry> entries = new ArrayList<>();
    private final List<PoolEvent.Elected> elections = new ArrayList<>();
    private final Map<NodeId, String> dead = new HashMap<>();
    private Reply.@Nullable Welcome welcome;
    private long last = Past.NOTHING;
    private boolean current;
    private boolean complete;
    private boolean forgotten;

    /// Changes that do not follow on those before: one of both ends is wrong about what was told.
    static final class Gap extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Gap(String message) {
            super(message);
        }
    }

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
        last = same ? last : Past.NOTHING;
        current = false;
        entries.clear();
        elections.clear();
        dead.clear();
        if (!first && !same) {
            view.forgetTerms();
            forgotten = true;
        }
        return !first && !same;
    }

    /// Whether the hub has ever forgotten who was in the pool.
    boolean forgotten() {
        return forgotten;
    }

    /// The hub has lost what it told this node last: what is known of the pool counts for nothing.
    PoolEvent takeBack() {
        last = Past.NOTHING;
        view.forgetTerms();
        return new PoolEvent.Missed(
                "the hub has lost the end of its state, and with it what it had told last");
    }

    /// Takes in a part of a snapshot.
    ///
    /// @return the changes that lead to it, once the last part is there; not taken in yet
    /// @throws Malformed when it has no end
    List<Change> take(Reply.Snapshot part) {
        if (entries.size() + part.entries().size() > Protocol.MOST_MEMBERS
                || elections.size() + part.elections().size() > Protocol.MOST_NAMES
                || dead.size() + part.dead().size() > Protocol.MOST_DEAD) {
            throw new Malformed("a snapshot without end");
        }
        entries.addAll(part.entries());
        elections.addAll(part.elections());
        part.dead().forEach(one -> dead.put(one.id(), one.why()));
        if (part.more()) {
            return List.of();
        }
        var changes = view.difference(part.facts(), new View.Snapshot(entries, elections, dead));
        entries.clear();
        elections.clear();
        dead.clear();
        last = part.number();
        return changes;
    }

    /// Takes in changes.
    ///
    /// @return them; not taken in yet
    /// @throws Gap when some are missing before them
    List<Change> take(Reply.Events events) {
        if (events.after() != last) {
            throw new Gap(
                    "the hub told changes after number "
                            + events.after()
                            + ", but the last one was "
                            + last);
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
        return new Past(welcome().epoch(), last, view.closed(), view.terminated(), false);
    }
}
