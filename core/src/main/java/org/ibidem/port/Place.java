package org.ibidem.port;

/// What a receive port says to a connection that is about to be made.
sealed interface Place {
    /// There is one.
    record Reserved() implements Place {}

    /// There is one, which another connection that is being made may not need after all.
    record Kept(String why) implements Place {}

    /// There is none.
    record Taken(String why) implements Place {}

    /// The program does not want it.
    record Unwanted(String why) implements Place {}
}
