package org.ibidem.lab.bench;

import java.io.IOException;

/// One end of a contestant that is used the blocking way: send this, receive that. Used by one
/// thread.
public interface End extends AutoCloseable {
    /// Sends what `payload` holds now; returns when its memory may be rewritten and the message is
    /// on its way, or is held back for [#flush].
    void send(Payload payload) throws Exception;

    /// Receives the next message into `payload`, which is of the kind that was sent.
    void receive(Payload payload) throws Exception;

    /// Hands on what was sent; called before waiting for an answer to a stream of messages.
    default void flush() throws Exception {}

    /// The same end for one measure alone: an object of a copy of this class ([Copies]), so that
    /// what is sent elsewhere has no part in how its code is compiled. By itself this one.
    default End alone() {
        return this;
    }

    @Override
    void close() throws IOException;
}
