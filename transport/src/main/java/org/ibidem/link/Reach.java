package org.ibidem.link;

/// A driver's answer to "can you reach this peer?".
public sealed interface Reach {
    /// It can.
    ///
    /// @param cost what 8 bytes one way take, in nanoseconds, roughly: the selector prefers the
    ///   smallest
    record Yes(long cost) implements Reach {}

    /// It cannot.
    ///
    /// @param why the exact reason, for people
    record No(String why) implements Reach {}
}
