package org.ibidem.apps.sor;

import java.io.Serializable;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.WriteMessage;

/// What processes tell each other about an iteration. Two are joined in such a way that their order
/// cannot matter.
///
/// @param residual how far the worst cell was from the mean of its neighbours
/// @param messages sent since the start
/// @param bytes sent since the start
public record Tally(double residual, long messages, long bytes) implements Serializable {
    private static final long serialVersionUID = 1L;

    /// Both.
    Tally and(Tally other) {
        return new Tally(
                Math.max(residual, other.residual), messages + other.messages, bytes + other.bytes);
    }

    static Tally read(ReadMessage message) {
        return new Tally(message.readDouble(), message.readLong(), message.readLong());
    }

    void write(WriteMessage message) {
        message.writeDouble(residual).writeLong(messages).writeLong(bytes);
    }
}
