package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.device.Outgoing;

/// Primitives as a message. One object with the way through them, as there is one for each message.
final class ArrayMessage extends Walk implements Outgoing {
    private final long bytes;

    ArrayMessage(Part part) {
        super(part);
        this.bytes = part.bytes();
    }

    @Override
    public int type() {
        return kind().code();
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long objects() {
        return 0;
    }

    @Override
    public void write(MemorySegment into, long at, int count) {
        store(into, at, count);
    }
}
