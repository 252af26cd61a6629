package org.ibidem.filter.conversion;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Lends copies of the frames below, with the bytes of every value turned round. The memory lent
/// below is its writer's and stays as it is.
final class ConvertingSource implements FrameSource, WaitableOver {
    private static final long SMALLEST = 4 << 10;

    private final FrameLink link;
    private final FrameSource lower;
    private final Waitable below;
    private MemorySegment copy = MemorySegment.NULL;

    ConvertingSource(FrameLink link) {
        this.link = link;
        this.lower = link.source();
        this.below = Waitable.of(lower);
    }

    @Override
    public boolean poll(Frame lent) {
        if (!lower.poll(lent)) {
            return false;
        }
        long length = lent.room();
        if (copy.byteSize() < length) {
            copy = Arena.ofAuto().allocate(Math.max(SMALLEST, Long.highestOneBit(length) << 1));
        }
        MemorySegment.copy(lent.memory, lent.position, copy, 0, length);
        lent.show(copy, 0, length);
        convert(length);
        return true;
    }

    private void convert(long length) {
        for (long at = 0; at < length; ) {
            int tag = at + Run.TAG > length ? -1 : Run.read(copy, at);
            if (tag == -1 || !Run.valid(tag, length - at - Run.TAG)) {
                link.close();
                throw new LinkBroken(
                        "the peer, whose byte order is another, sent no tag at byte "
                                + at
                                + " of a frame; the link was closed");
            }
            long values = at + Run.TAG + Run.header(tag);
            if (Run.kind(tag) == Run.ROW) {
                turnRow(values, Run.kinds(tag));
            } else if (Run.kind(tag) != Run.NUMBER) {
                turn(values, Run.count(tag), Run.shift(Run.kind(tag)));
            }
            at += Run.TAG + Run.size(tag);
        }
    }

    private void turnRow(long values, int kinds) {
        long at = values;
        for (int left = kinds; left < 0; left <<= 4) {
            int shift = Run.shift(Run.first(left));
            turn(at, 1, shift);
            at += 1L << shift;
        }
    }

    private void turn(long at, int count, int shift) {
        long end = at + ((long) count << shift);
        for (long i = at; shift > 0 && i < end; i += 1L << shift) {
            switch (shift) {
                case 1 -> {
                    short value = copy.get(ValueLayout.JAVA_SHORT_UNALIGNED, i);
                    copy.set(ValueLayout.JAVA_SHORT_UNALIGNED, i, Short.reverseBytes(value));
                }
                case 2 -> {
                    int value = copy.get(ValueLayout.JAVA_INT_UNALIGNED, i);
                    copy.set(ValueLayout.JAVA_INT_UNALIGNED, i, Integer.reverseBytes(value));
                }
                default -> {
                    long value = copy.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
                    copy.set(ValueLayout.JAVA_LONG_UNALIGNED, i, Long.reverseBytes(value));
                }
            }
        }
    }

    @Override
    public void release() {
        lower.release();
    }

    @Override
    public Waitable below() {
        return below;
    }
}
