package org.ibidem.port;

/// How a receive port is closed.
enum Closing {
    /// Senders are told, and what they sent is dropped. Holds the turn.
    IN_ORDER,
    /// Not yet: who holds the turn does it.
    LATER,
    /// The connections are given up, because another thread holds the turn and does not return it.
    GIVEN_UP
}
