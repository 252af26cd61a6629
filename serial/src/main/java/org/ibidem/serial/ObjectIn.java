package org.ibidem.serial;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Reads object graphs from one connection. Not for two threads.
public interface ObjectIn {
    /// Reads the next graph of the message. After an exception the rest of the message is lost; the
    /// next message is not.
    ///
    /// @throws IOException when the bytes are no graph, a class is not allowed or a bound is passed
    /// @throws ClassNotFoundException when an allowed class is not there
    @Nullable Object read() throws IOException, ClassNotFoundException;

    /// The message ends, read or not.
    void endMessage();

    /// Takes what a sink gave to [org.ibidem.serial.wire.Sink#describe].
    ///
    /// @throws org.ibidem.buffer.Malformed when it is no description
    void describe(byte[] description);
}
