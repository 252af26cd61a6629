package org.ibidem.mpj.device.circuit;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;

/// Where the bytes of a message go: to who receives it, or to memory where it waits.
interface Target {
    /// What is known of the message.
    Envelope message();

    /// Bytes of the whole message.
    long size();

    void take(MemorySegment from, long at, int count);

    /// Bytes that are still to come.
    long left();

    default boolean hasAll() {
        return left() == 0;
    }

    /// All has come.
    void end();

    /// The rest will not come.
    void broken(DeviceFailed why);
}
