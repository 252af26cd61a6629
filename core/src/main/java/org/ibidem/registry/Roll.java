package org.ibidem.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request.Past;
import org.jspecify.annotations.Nullable;

/// What the hub told of the pool, connection after connection: the view, and up to which number it
/// goes. Not safe for several threads.
final class Roll {
    private final View view = new View();
    private final List<Reply.Entry> parts = new ArrayList<>();
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

    /// Begins anew on another connection; what is known of the same run of the hub still counts.
    void begin(Reply.Welcome now) {
        boolean sameRun = welcome != null && welcome.epoch() == now.epoch();
        welcome = now;
        last = sameRun ? last : -1;
        current = false;
        parts.clear();
    }

    /// Takes in a part of a snapshot.
    ///
    /// @return what is new, once the last part is there
    /// @throws Malformed when it has no end
    List<Change> take(Reply.Snapshot part) {
        if (parts.size() + part.entries().size() > Protocol.MOST_MEMBERS) {
            throw new Malformed("a snapshot of more than " + Protocol.MOST_MEMBERS + " members");
        }
        parts.addAll(part.entries());
        if (part.more()) {
            return List.of();
        }
        var news = view.replace(parts, part.closed());
        parts.clear();
        last = part.number();
        return news;
    }

    /// Takes in changes.
    ///
    /// @return those that are new
    /// @throws Malformed when some are missing before them
    List<Change> take(Reply.Events events) {
        if (events.first() != last + 1) {
            throw new Malformed(
                    "changes from number " + events.first() + " on, but the last one was " + last);
        }
        last += events.changes().size();
        return events.changes().stream().filter(view::apply).toList();
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
        return new Past(welcome().epoch(), Math.max(0, last), view.closed(), false);
    }
}
