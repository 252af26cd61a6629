package org.ibidem.lab.model;

import java.util.ArrayDeque;
import org.ibidem.port.Origin;

/// A connection of the model: what was sent over it and is not received yet.
final class Line {
    final Origin origin;
    final ArrayDeque<Letter> waiting = new ArrayDeque<>();

    /// The sender has closed it: after what waits comes its end.
    boolean ended;

    /// Its sender is dead: what waits may come or not, and then the loss of the connection.
    boolean broken;

    /// Its end was told by a downcall before it was looked for.
    boolean told;

    /// The receiver had it, the last time it was asked.
    boolean seen;

    /// It may lose messages, or may break: what waits may never come.
    boolean doubtful;

    Line(Origin origin, boolean doubtful) {
        this.origin = origin;
        this.doubtful = doubtful;
    }

    int bytes() {
        return waiting.stream().mapToInt(Letter::bytes).sum();
    }

    /// Whether a message must come over it.
    boolean owes() {
        return !doubtful && !waiting.isEmpty();
    }

    /// Takes the letter with this number, which must be the first; over what loses messages, those
    /// before it are lost.
    Letter take(long id) {
        while (true) {
            var first = waiting.poll();
            if (first == null) {
                throw new AssertionError("message " + id + " came, which does not wait there");
            }
            if (first.id() == id) {
                return first;
            }
            if (!doubtful) {
                throw new AssertionError("message " + id + " came before message " + first.id());
            }
        }
    }

    boolean has(long id) {
        return waiting.stream().anyMatch(letter -> letter.id() == id);
    }
}
