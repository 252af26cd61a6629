package org.ibidem.serial;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Turns object graphs into bytes and back. Found by its `provides` line; stateless.
public interface Serializer {
    /// Its name in port types.
    String name();

    /// Begins a row of graphs that share what they have in common.
    Writer writer(OutputStream to);

    /// Begins to read what one [Writer] wrote. No class is loaded before the policy has allowed it.
    Reader reader(InputStream from, ObjectPolicy policy);

    /// Writes graphs.
    interface Writer {
        /// Writes one graph, whole: nothing of it is kept back.
        ///
        /// @throws IOException when an object cannot be serialized, naming its class, or the stream
        ///   fails; this writer is of no use afterwards
        void write(@Nullable Object graph) throws IOException;

        /// Forgets the objects written so far: those that follow are written whole.
        void reset() throws IOException;
    }

    /// Reads graphs.
    @FunctionalInterface
    interface Reader {
        /// Reads the next graph.
        ///
        /// @throws IOException when the bytes are no graph or a bound is passed; this reader is of
        ///   no use afterwards
        /// @throws ClassNotFoundException when an allowed class is not there
        @Nullable Object read() throws IOException, ClassNotFoundException;
    }
}
