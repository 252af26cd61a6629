package org.ibidem.satin.host;

import java.io.ObjectStreamException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What is written in the place of shared objects.
public interface StandIns {
    /// Set where somebody writes on this thread who has the objects represented.
    ThreadLocal<@Nullable StandIns> HERE = new ThreadLocal<>();

    /// What is written in the place of this one.
    ///
    /// @throws ObjectStreamException when it cannot be copied
    Object of(Serializable shared) throws ObjectStreamException;
}
