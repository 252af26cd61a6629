package org.ibidem.port;

/// What a receive port does about connections that come and go. Never at the same time as another
/// upcall of the same port.
public interface ConnectionUpcall {
    /// A send port wants to connect.
    ///
    /// @return false: it is refused
    default boolean connecting(ReceivePort port, Origin from) {
        return true;
    }

    /// A connection is over; all its messages were received before.
    default void lost(ReceivePort port, Lost<Origin> connection) {}
}
