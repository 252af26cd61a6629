package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Turns object graphs into bytes and back. Found by its `provides` line; stateless.
public interface Serializer {
    /// Its name in port types.
    String name();

    /// Writes one graph; nothing is kept between graphs.
    ///
    /// @throws IOException when an object cannot be serialized, naming its class, or `to` fails
    void write(@Nullable Object graph, OutputStream to) throws IOException;

    /// Reads one graph. No class is loaded before the policy has allowed it.
    ///
    /// @throws IOException when the bytes are no graph or a bound is passed
    /// @throws ClassNotFoundException when an allowed class is not there
    @Nullable Object read(InputStream from, ObjectPolicy policy)
            throws IOException, ClassNotFoundException;
}
