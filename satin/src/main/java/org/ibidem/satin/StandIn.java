package org.ibidem.satin;

import java.io.InvalidObjectException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.List;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// What travels in the place of a shared object: its name, and for who may have no copy yet its
/// state, with how many writes of each process are in it.
///
/// @param id its name in all processes
/// @param state as [Copies] writes it; none: who gets this has a copy
/// @param writers processes, by their ids
/// @param counts of each of those, how many of its writes are in the state
record StandIn(String id, byte @Nullable [] state, List<String> writers, long[] counts)
        implements Serializable {
    private static final long serialVersionUID = 1;

    /// Bytes of what it brings.
    long size() {
        long writes = (long) writers.size() * (NodeId.BYTES + Long.BYTES);
        return (state == null ? 0 : state.length) + (long) id.length() + writes;
    }

    /// The copy of the process that reads it.
    @SuppressWarnings("UnusedMethod") // by who reads objects
    private Object readResolve() throws ObjectStreamException {
        var sharing = Sharing.reading();
        if (sharing == null) {
            throw new InvalidObjectException("a shared object is read where no program runs");
        }
        return sharing.copy(this);
    }
}
