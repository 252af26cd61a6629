package org.ibidem.connect;

import java.time.Duration;
import org.ibidem.link.Datagrams;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// What a method may use for one connection.
///
/// @param tasks runs things, and knows the time
/// @param limit for all of it
/// @param broker reaches the peer already, or null when nothing does: then only methods that can
///   bootstrap can be used
/// @param relay carries bytes to the peer, or null when nobody does
/// @param datagrams where paths of datagrams begin, or null where this node has none
public record MethodContext(
        Tasks tasks,
        Duration limit,
        @Nullable Broker broker,
        @Nullable Relay relay,
        @Nullable Datagrams datagrams) {
    /// With nobody else's help.
    public MethodContext(Tasks tasks, Duration limit) {
        this(tasks, limit, null, null, null);
    }

    /// The same with another limit.
    public MethodContext within(Duration other) {
        return new MethodContext(tasks, other, broker, relay, datagrams);
    }
}
