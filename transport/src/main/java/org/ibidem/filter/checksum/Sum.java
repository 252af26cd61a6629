package org.ibidem.filter.checksum;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.ibidem.buffer.Frame;

/// Sums up frames. The views of the memory they lie in are kept from frame to frame, of as many as
/// a link has in use by turns: a frame costs no garbage.
final class Sum {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int VIEWS = 8;
    private static final int CHUNK = 4 << 10;

    private final CRC32C crc = new CRC32C();
    private final byte[] chunk = new byte[CHUNK];
    private final MemorySegment[] memories = new MemorySegment[VIEWS];
    private final ByteBuffer[] views = new ByteBuffer[VIEWS];
    private int last;
    private int oldest;

    /// The sum of the payload from `from` to `to` and of the frame's flags.
    int of(Frame frame, long from, long to, int flags) {
        var where = frame.memory;
        crc.reset();
        if (frame.shared) {
            add(where, from, to);
        } else if (where.byteSize() <= Integer.MAX_VALUE) {
            crc.update(view(where).limit((int) to).position((int) from));
        } else {
            crc.update(where.asSlice(from, to - from).asByteBuffer());
        }
        crc.update(flags & Frame.WIRE_FLAGS);
        return (int) crc.getValue();
    }

    /// Of a file that is mapped: one that is cut short meanwhile makes the JVM crash where it sums
    /// up memory itself, but not where it copies.
    private void add(MemorySegment where, long from, long to) {
        for (long at = from; at < to; at += CHUNK) {
            int some = (int) Math.min(CHUNK, to - at);
            MemorySegment.copy(where, ValueLayout.JAVA_BYTE, at, chunk, 0, some);
            crc.update(chunk, 0, some);
        }
    }

    private ByteBuffer view(MemorySegment where) {
        if (!where.equals(memories[last])) {
            last = 0;
            while (last < VIEWS - 1 && !where.equals(memories[last])) {
                last++;
            }
            if (!where.equals(memories[last])) {
                last = oldest;
                oldest = (oldest + 1) % VIEWS;
                memories[last] = where;
                views[last] = where.asByteBuffer();
            }
        }
        return views[last];
    }
}
