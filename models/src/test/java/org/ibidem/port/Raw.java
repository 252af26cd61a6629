package org.ibidem.port;

import java.lang.foreign.MemorySegment;

/// The bytes of messages, for vectors.
public final class Raw {
    private Raw() {}

    /// What lies in a message's only frame.
    public static byte[] bytes(ReadMessage message) {
        var frame = message.frame;
        var bytes = new byte[(int) (frame.limit - frame.start)];
        MemorySegment.copy(
                frame.memory, frame.start, MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes;
    }
}
