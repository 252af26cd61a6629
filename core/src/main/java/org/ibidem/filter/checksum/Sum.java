package org.ibidem.filter.checksum;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.ibidem.buffer.Frame;

/// Sums up frames. The sum's means are kept from frame to frame: a frame costs no garbage as long
/// as it lies in the same memory as the one before.
final class Sum {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final CRC32C crc = new CRC32C();
    private MemorySegment memory = MemorySegment.NULL;
    private ByteBuffer view = ByteBuffer.allocateDirect(0);

    /// The sum of the payload from `from` to `to` and of the frame's flags.
    int of(MemorySegment where, long from, long to, int flags) {
        crc.reset();
        if (where.byteSize() <= Integer.MAX_VALUE) {
            if (!where.equals(memory)) {
                memory = where;
                view = where.asByteBuffer();
            }
            crc.update(view.limit((int) to).position((int) from));
        } else {
            crc.update(where.asSlice(from, to - from).asByteBuffer());
        }
        crc.update(flags & Frame.WIRE_FLAGS);
        return (int) crc.getValue();
    }
}
