package org.ibidem.mpj.device;

import java.lang.foreign.MemorySegment;

/// Where a message is received into, piece by piece.
public interface Incoming {
    /// The message is known; called once, before the first [#read]. Answers how many of its bytes
    /// are wanted: where that is less than it has, it was truncated.
    long begin(Envelope message);

    /// Takes the next bytes. A value may be divided between two calls.
    void read(MemorySegment from, long at, int count);

    /// All that was wanted has come. What this throws is what the receive fails with.
    void end();
}
