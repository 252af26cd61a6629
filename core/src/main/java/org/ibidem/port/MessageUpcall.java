package org.ibidem.port;

/// What a receive port does with a message that has come, where it is not asked for one.
@FunctionalInterface
public interface MessageUpcall {
    /// Reads the message. At most one upcall of a port runs at a time, until it returns or closes
    /// the message: then the next may begin. May block, send and receive.
    ///
    /// @throws Exception is told to the [FailureUpcall] or else logged, as an error is; what was
    ///   not read is skipped, and the port goes on
    void received(ReadMessage message) throws Exception;
}
