package org.ibidem.serial.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One object that is being read, and waits for its references.
public interface Build {
    /// Whether it waits for one more.
    boolean more();

    /// Takes the next.
    void take(@Nullable Object reference) throws IOException;

    /// The object, when there are no more.
    @Nullable Object finish() throws IOException;
}
