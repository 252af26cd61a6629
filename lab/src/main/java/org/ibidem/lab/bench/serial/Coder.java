package org.ibidem.lab.bench.serial;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Writes one graph into its own memory, and reads it out of there.
interface Coder {
    /// Writes it.
    ///
    /// @return bytes
    int write(Object graph) throws IOException;

    /// Reads what was written last.
    @Nullable Object read() throws IOException, ClassNotFoundException;
}
