package org.ibidem.rmi.frame;

import java.io.ObjectStreamException;
import org.jspecify.annotations.Nullable;

/// One node's part in remote calls, as stubs and the objects of messages see it.
public interface Exchange {
    /// Begins a call. What hinders it the call will say.
    Outgoing begin(Stub of, RemoteMethod method);

    /// What travels in the place of an object whose class is that of a remote one.
    ///
    /// @throws ObjectStreamException when nothing can
    Object standIn(Object object) throws ObjectStreamException;

    /// The stub for a reference that came.
    ///
    /// @throws ObjectStreamException when none of its interfaces is known here
    Object resolve(Reference reference) throws ObjectStreamException;

    /// That for which this thread writes or reads objects just now.
    static @Nullable Exchange current() {
        return StandIns.CURRENT.get();
    }

    /// From now on this thread writes or reads objects for this one; null: for none.
    ///
    /// @return for which it did before
    static @Nullable Exchange enter(@Nullable Exchange next) {
        var before = StandIns.CURRENT.get();
        StandIns.CURRENT.set(next);
        return before;
    }
}
