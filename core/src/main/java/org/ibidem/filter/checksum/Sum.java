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

    private final CRC32C crc = new CRC32C();
    private final MemorySegment[] memories = new MemorySegment[VIEWS];
    private final ByteBuffer[] views = new ByteBuffer[VIEWS];
    private int last;
    private int oldest;

    /// The sum of the payload from `from` to `to` and of the frame's flags.
    int of(MemorySegment where, long from, long to, int flags) {
        crc.reset();
        if (where.byteSize() <= Integer.MAX_VALUE) {
            crc.update(view(where).limit((int) to).position((int) from));
        } else {
            crc.update(where.asSlice(from, to - from).asByteBuffer());
        }
        crc.update(flags & Frame.WIRE_FLAGS);
        return (int) crc.getValue();
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
