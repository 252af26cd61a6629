package org.ibidem.control;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/// How a [ControlLink] ended. What follows from it (left, dead, suspected) is for the user of the
/// link to say.
public sealed interface Ending {
    /// The peer said goodbye.
    ///
    /// @param reason in its own words
    record Left(String reason) implements Ending {}

    /// The peer's system ended the connection in order, but the peer had not said goodbye: its
    /// process ended.
    record EndOfStream() implements Ending {}

    /// The connection was reset, or the network under it failed.
    ///
    /// @param what the system's words
    record Reset(String what) implements Ending {}

    /// Bytes were altered on the way, or somebody else's came: nothing that came then was taken.
    /// The peer may be well.
    ///
    /// @param what which end has noticed it, and of what
    record Altered(String what) implements Ending {
        @Override
        public String toString() {
            return what;
        }
    }

    /// Nothing was heard for so long that the user of the link gave it up.
    ///
    /// @param since how long nothing was heard
    record Silent(Duration since) implements Ending {}

    /// The peer sent what no peer may send.
    ///
    /// @param reason what, exactly
    record Violation(String reason) implements Ending {}

    /// The peer took so little that the bounded queue of outgoing messages was full.
    ///
    /// @param reason which bound, and how much was waiting
    record Overflow(String reason) implements Ending {}

    /// This end closed it.
    ///
    /// @param reason as told to the peer
    record Closed(String reason) implements Ending {}

    /// Whether this end gives up a peer that may be well, without a word, while its own process
    /// goes on.
    default boolean isGivenUp() {
        return this instanceof Silent || this instanceof Overflow;
    }

    /// What the system says of a write to a connection that its peer has ended in order.
    String OVER = "broken pipe";

    /// Whether a write failed only because the peer's system had ended the connection in order
    /// before (EPIPE). The system tells of a reset once: if it tells whoever writes, reading finds
    /// what looks like an end in order, and is none.
    static boolean wasOver(IOException writing) {
        return String.valueOf(writing.getMessage()).toLowerCase(Locale.ROOT).contains(OVER);
    }
}
