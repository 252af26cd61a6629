package org.ibidem.connect;

import java.io.IOException;
import org.ibidem.link.Path;

/// Proves who is at the other end of a new connection, in two steps, because several connections to
/// one peer may be tried at once: every one of them must prove the peer, but the peer must see only
/// one go on.
///
/// @param <T> what a proved connection is to the caller
@FunctionalInterface
public interface Check<T> {
    /// First step, on each connection: has the peer prove itself. May block; a closed path ends it.
    ///
    /// @param path in blocking mode, nothing said on it that the other end would miss
    /// @throws IOException or an `IbidemException` when the peer cannot prove to be the one wanted;
    ///   the message is shown to people as the reason why this address failed
    Claim<T> check(Path path) throws IOException;

    /// A connection whose peer has proved itself.
    @FunctionalInterface
    interface Claim<T> {
        /// Second step, on one connection only: goes on with this one.
        ///
        /// @throws IOException or an `IbidemException` when it broke meanwhile
        T take() throws IOException;
    }
}
