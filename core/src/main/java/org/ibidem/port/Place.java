package org.ibidem.port;

/// What a receive port says to a connection that is about to be made.
sealed interface Place {
    /// There is one.
    ///
    /// @param claim to it
    record Reserved(Places.Claim claim) implements Place {}

    /// There is one, which another connection still has: it is being made, and may come to nothing,
    /// or about to be let go of. Or the port is about to be: there may be another.
    record Kept(String why) implements Place {}

    /// There is none.
    record Taken(String why) implements Place {}

    /// The program does not want it.
    record Unwanted(String why) implements Place {}
}
