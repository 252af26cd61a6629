package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/// A shared segment as a hostile peer makes it: it writes what it likes into the ring.
public final class HostileSegment {
    /// Bytes of each ring.
    public static final int RING = 64 << 10;

    private static final int DATA = 4096;
    private static final Path FOLDER = Path.of("/dev/shm");

    private final MemorySegment memory;
    private final long ring;

    private HostileSegment(Segment segment) {
        memory = segment.memory();
        ring = segment.layout().forward().control();
    }

    public static HostileSegment create(String key) throws IOException {
        return new HostileSegment(Segment.create(FOLDER, key, new Shm(RING, RING)));
    }

    public static void remove(String key) throws IOException {
        Files.deleteIfExists(Segment.file(FOLDER, key));
    }

    /// What the end that offers this says, from the beginning to the end of the meeting.
    public static byte[] offer() {
        return ByteBuffer.allocate(2 * Integer.BYTES + 1)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(RING)
                .putInt(RING)
                .array();
    }

    /// Publishes a header as the first record, without anything behind it.
    public void publish(int flags, int length) {
        long header = 1L << Integer.SIZE | (long) flags << 24 | length;
        ValueLayout.JAVA_LONG.varHandle().setRelease(memory, ring + DATA, header);
    }
}
