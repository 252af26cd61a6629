package org.ibidem.mpj.device;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A message whose every byte can be told from those of others.
final class Pattern implements Outgoing {
    private final int seed;
    private final long bytes;
    private final long objects;
    private long written;

    Pattern(int seed, long bytes) {
        this(seed, bytes, 0);
    }

    Pattern(int seed, long bytes, long objects) {
        this.seed = seed;
        this.bytes = bytes;
        this.objects = objects;
    }

    /// The byte at this place of the message of this seed.
    static byte at(int seed, long place) {
        return (byte) (seed * 131L + place * 7 + (place >> 8));
    }

    @Override
    public int type() {
        return 3;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public long objects() {
        return objects;
    }

    @Override
    public void write(MemorySegment into, long at, int count) {
        for (int i = 0; i < count; i++) {
            into.set(ValueLayout.JAVA_BYTE, at + i, at(seed, written++));
        }
    }
}
