package org.ibidem.serial;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Writes object graphs to one connection. Not for two threads.
public interface ObjectOut {
    /// Writes one graph into the message. What an earlier graph of the message contained is named,
    /// not sent again.
    ///
    /// @throws java.io.NotSerializableException when an object in it cannot travel
    /// @throws IOException when the sink fails or an object's own method does
    void write(@Nullable Object graph) throws IOException;

    /// From now on objects of this message are sent again, as they are then.
    void reset() throws IOException;

    /// The message ends.
    void endMessage();

    /// Says again all that was said once on this connection, for a peer that joined it later.
    void introduce() throws IOException;
}
