package org.ibidem.satin.host;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What a thread is that does jobs, for the program that it runs. A program that runs by itself has
/// no such thread.
public interface Host {
    /// This thread, where it is one.
    static @Nullable Host current() {
        return Thread.currentThread() instanceof Host host ? host : null;
    }

    /// Whether its process asks others for no work.
    void paused(boolean asksNobody);

    /// Whether a thief would find nothing here.
    boolean needsMoreJobs();

    /// Whether what it does was stolen.
    boolean isOnStolen();

    /// A copy of an object and of all it refers to, as a stolen job gets it.
    ///
    /// @throws IllegalArgumentException when something in it cannot be copied
    Serializable deepCopy(Serializable object);

    /// Gives a shared object to all processes at once.
    void export(Serializable shared);
}
