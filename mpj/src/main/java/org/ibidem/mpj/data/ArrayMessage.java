package org.ibidem.mpj.data;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.device.Outgoing;

/// Primitives as a message.
final class ArrayMessage implements Outgoing {
    private final Kind kind;
    private final long bytes;
    private final Walk walk;

    ArrayMessage(Part part) {
        this.kind = part.shape().kind();
        this.bytes = part.bytes();
        this.walk = new Walk(part);
    }

    @Override
    public int type() {
        return kind.code();
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
        walk.store(into, at, count);
    }
}
