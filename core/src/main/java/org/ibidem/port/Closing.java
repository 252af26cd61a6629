package org.ibidem.port;

/// How a receive port is closed.
enum Closing {
    /// Senders are told, and what they sent is dropped. Holds the turn.
    IN_ORDER,
    /// Not yet: who holds the turn does it.
    LATER,
    /// The links break: who holds the turn does not give it back.
    BROKEN
}
