package org.ibidem.serial.wire;

import org.jspecify.annotations.Nullable;

/// Stands in the table of handles for an object whose class is not there, which is no harm while
/// nobody here wants it.
///
/// @param why what there is not
public record Absent(ClassNotFoundException why) implements HandleReader.Special {
    /// Says it to whoever wants the object.
    public @Nullable Object take(boolean discarded) throws ClassNotFoundException {
        if (!discarded) {
            throw why;
        }
        return null;
    }
}
