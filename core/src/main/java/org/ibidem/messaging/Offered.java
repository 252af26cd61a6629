package org.ibidem.messaging;

/// What became of an object that was offered, without waiting.
public enum Offered {
    /// It is on its way.
    SENT,
    /// There is no room for it now: the receiver does not keep up. Nothing of it counts.
    FULL,
    /// Nobody receives any more.
    GONE
}
