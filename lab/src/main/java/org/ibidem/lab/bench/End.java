package org.ibidem.lab.bench;

import java.io.IOException;

/// One end of a contestant that is used the blocking way: send this, receive that. Used by one
/// thread.
public interface End extends AutoCloseable {
    /// Sends what `payload` holds now; returns when its memory may be rewritten and the message is
    /// on its way.
    void send(Payload payload) throws Exception;

    /// Receives the next message into `payload`, which is of the kind that was sent.
    void receive(Payload payload) throws Exception;

    /// Hands on what was sent; called before waiting for an answer to a stream of messages.
    default void flush() throws Exception {}

    @Override
    void close() throws IOException;
}
