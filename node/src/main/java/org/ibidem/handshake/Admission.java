package org.ibidem.handshake;

import org.ibidem.identity.NodeKey;

/// Decides whether a connection may go on. Asked after the HELLO was read and before the peer has
/// proved its key, so it must only look and never change anything; what it answers is signed.
@FunctionalInterface
public interface Admission {
    /// Lets everybody in.
    Admission ALL = (_, _) -> new Welcome();

    /// Decides.
    ///
    /// @param claimed the key the peer shows; that it has it is proved after a welcome only
    /// @param hello what it wants
    Verdict judge(NodeKey claimed, Hello hello);

    /// The answer.
    sealed interface Verdict {}

    /// It may go on.
    record Welcome() implements Verdict {}

    /// It may not.
    ///
    /// @param code for the peer's program
    /// @param why for people: the exact reason and what to do; only the first 256 bytes travel
    /// @param usual whether that is nothing to complain of
    record Refused(Refusal code, String why, boolean usual) implements Verdict {
        /// One to complain of.
        public Refused(Refusal code, String why) {
            this(code, why, false);
        }
    }
}
