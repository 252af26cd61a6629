package org.ibidem.rmi.program;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Stands for `java.rmi.MarshalledObject`: an object as the bytes in which it travels, remote ones
/// in it as references. What it lets in when it is read is what calls let in.
///
/// @param <T> of the object
public final class MarshalledObject<T> implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private final byte @Nullable [] bytes;

    /// Holds an object as it is now.
    ///
    /// @throws IOException when something in it cannot travel, or there is no pool
    public MarshalledObject(@Nullable T object) throws IOException {
        bytes = object == null ? null : Home.own().rmi().bytes(object);
    }

    /// A copy of the object.
    ///
    /// @throws IOException when something in it is not let in
    /// @throws ClassNotFoundException when a class of it is not there
    @SuppressWarnings("unchecked") // it was written as one
    public @Nullable T get() throws IOException, ClassNotFoundException {
        return bytes == null ? null : (T) Home.own().rmi().object(bytes);
    }

    @Override
    public int hashCode() {
        return bytes == null ? 13 : Arrays.hashCode(bytes);
    }

    /// Whether both hold the same bytes.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MarshalledObject<?> one && Arrays.equals(one.bytes, bytes);
    }
}
