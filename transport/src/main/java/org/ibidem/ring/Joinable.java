package org.ibidem.ring;

import org.ibidem.link.LinkBroken;
import org.jspecify.annotations.Nullable;

/// An ability of sinks: several of them that are given the same frames can be joined, so that one
/// write reaches all their readers.
public interface Joinable {
    /// Its part in a broadcast; null: it can have none.
    @Nullable Participant participant();

    /// Where it takes part in one: whether its reader has left the room that was last asked for.
    ///
    /// @throws LinkBroken when nobody should wait for that reader any more
    boolean follows();
}
