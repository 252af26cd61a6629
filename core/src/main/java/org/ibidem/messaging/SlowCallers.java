package org.ibidem.messaging;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.port.Origin;

/// Callers that made no room for an answer for as long as a server waits. Nothing is waited for
/// with them for ten times as long, so that one that is stuck costs its server a tenth of its time;
/// then as before, as it may only have been stopped for a while.
final class SlowCallers {
    /// For how long an answer waits for room at a time.
    static final long PATIENCE_NANOS = 2_000_000_000;

    private static final int PAUSE = 10;

    /// Until when nothing is waited for.
    private final Map<Origin, Long> ends = new ConcurrentHashMap<>();

    /// For how long to wait for room with one, at a time.
    long patience(Origin caller, long now) {
        var end = ends.isEmpty() ? null : ends.get(caller); // mostly without a look for it
        return end == null || now - end >= 0 ? PATIENCE_NANOS : 0;
    }

    /// It has taken an answer.
    void took(Origin caller) {
        if (!ends.isEmpty()) {
            ends.remove(caller);
        }
    }

    /// It made no room for one.
    void refused(Origin caller, long now) {
        ends.compute(
                caller,
                (_, end) -> end != null && now - end < 0 ? end : now + PAUSE * PATIENCE_NANOS);
    }

    /// It is gone.
    void left(Origin caller) {
        ends.remove(caller);
    }
}
