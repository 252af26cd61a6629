package org.ibidem.connect.routed;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// What carries a stream at this end, as the stream sees it.
///
/// @param me who is at this end
/// @param keeps memory that each queue of a stream keeps while nothing waits in it
/// @param leadsOn whether its streams go on behind the other end
/// @param tasks for what is to be done later
/// @param ready told that a stream has something to send, or may have
/// @param forget told that a stream is over
/// @param confirmed waits until the other end has all that was put into a batch so far
record Carrier(
        NodeId me,
        int keeps,
        boolean leadsOn,
        Tasks tasks,
        Consumer<RoutedStream> ready,
        Consumer<RoutedStream> forget,
        Predicate<Duration> confirmed) {
    /// What a queue that is used much keeps.
    static final int MUCH = 4 << 10;

    void ready(RoutedStream stream) {
        ready.accept(stream);
    }

    void forget(RoutedStream stream) {
        forget.accept(stream);
    }

    /// Waits until the other end has all that was put into a batch so far.
    ///
    /// @return false: not within the limit, or it never will
    boolean confirmed(Duration limit) {
        return confirmed.test(limit);
    }

    void later(Duration delay, Runnable what) {
        try {
            tasks.after(delay, "last words of a routed stream", what);
        } catch (IllegalStateException _) {
            what.run(); // this node is going down
        }
    }
}
