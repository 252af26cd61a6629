package org.ibidem.serial.wire;

import org.jspecify.annotations.Nullable;

/// The references in one object that is being written, one after the other.
public interface Walk {
    /// Whether there is one more.
    boolean more();

    /// The next.
    @Nullable Object next();
}
