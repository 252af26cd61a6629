package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// One direction of a ring of variable records, for one writer and one reader, in memory both see
/// (one process or two).
///
/// ```
///    0  reader's position (8 B)   stored by the reader every size/16 bytes, loaded by the writer when its credit is out
///  256  reader sleeps (4 B)       own line: stays in the writer's cache while nothing changes; 1 sleeps, 2 rests, 4 asks for fences
///  512  writer waits (4 B)        own line
/// 4096  data: `size` bytes, a power of two; records begin at multiples of 64 and never wrap
///
/// A ring that grows has more places for data, each larger than the one before; its page stays.
///
/// record: 63        32 31   24 23             0
///         |  lap tag  | flags | payload length | payload ...
/// ```
///
/// Length, flags and publication are one word in the payload's first cache line. The tag is the
/// record's position / 64 + 1, modulo 2^32, so a word of an earlier lap never looks like a header:
/// positions only grow. Words of payload could; the writer takes care of that (see [RingWriter]).
/// Both ends run on one machine, so words are in native order.
///
/// Memory orders: a header is published with release and read with acquire; so is the reader's
/// position. The two sleep flags take part in a Dekker hand-shake: store own, full fence, load
/// other's, on both sides; but the writer's side has no fence for the reader's flag, which is
/// looked at for every message, unless the reader asks for it. As long as the writer may not have
/// heard that, the sleeper looks once more after a time in which any store has left its processor
/// (Morrison and Afek, "Temporally bounding TSO for fence-free asymmetric synchronization", 2015).
final class RingLayout {
    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    static final int READER_POSITION = 0;
    static final int READER_SLEEPS = 256;
    static final int WRITER_WAITS = 512;

    /// In `READER_SLEEPS`: the reader must be woken.
    static final int SLEEPS = 1;

    /// In `READER_SLEEPS`: the reader looks at its ready word, and not here.
    static final int RESTS = 2;

    /// In `READER_SLEEPS`: the reader sleeps now and then, so there has to be a fence between each
    /// publication and the look at this flag.
    static final int FENCED = 4;

    /// Of a broadcast ring, where it has no ring of its own for it: the reader has come.
    static final int READER_CAME = 768;

    /// Of a reader's own ring: which of the writer's invitations it could not follow last; 1 is the
    /// first.
    static final int READER_DECLINED = 768;

    /// Bytes of positions and flags of one reader, and what they are aligned to.
    static final int CONTROL = 1024;

    static final int DATA = 4096;

    private static final int LINE_SHIFT = 6;

    static final int ALIGNMENT = 1 << LINE_SHIFT;
    static final int HEADER = 8;
    static final int LENGTH_MASK = 0xFF_FFFF;

    /// The record is filler: go on at the ring's start, where there is never any.
    static final int PAD = 0x80;

    /// The record is empty, and the last one here: the next is at the same position of the next
    /// place.
    static final int MOVED = 0x40;

    /// The record tells of a broadcast ring; its payload says where that is.
    static final int INVITES = 0x50;

    /// The record is empty: what follows is in the broadcast ring the reader was invited to.
    static final int JOINS = 0x60;

    /// The record is empty, and the last one of a broadcast ring: what follows is in the reader's
    /// own.
    static final int PARTS = 0x70;

    /// Bytes that are never used for anything but a record that says that nothing follows here
    /// (`MOVED`, `PARTS`), which so always finds room.
    static final int RESERVE = ALIGNMENT;

    /// Frames per ring, at least: so that padding plus one largest frame always becomes free.
    private static final int FRAMES = 16;

    private RingLayout() {}

    /// Of a record's position, which is a multiple of 64: nothing of it is below the tag.
    static long tag(long position) {
        return (position << (Integer.SIZE - LINE_SHIFT)) + (1L << Integer.SIZE);
    }

    static boolean tagged(long word, long position) {
        return (int) (word >>> Integer.SIZE) == (int) (position >>> LINE_SHIFT) + 1;
    }

    /// Bytes of the largest record, header included.
    static int largestRecord(long size) {
        return (int) Math.min(size / FRAMES, LENGTH_MASK + 1);
    }

    static void check(MemorySegment memory, RingPlan plan) {
        if (memory.heapBase().isPresent() || !memory.isNative()) {
            throw new IllegalArgumentException("a ring lies in off-heap memory, always");
        }
        require(memory, plan.control(), CONTROL, CONTROL);
        long least = Ring.SMALLEST;
        for (var place : plan.places()) {
            long size = place.size();
            if (Long.bitCount(size) != 1 || size < least || size > Ring.LARGEST) {
                throw new IllegalArgumentException(
                        "a ring has a power of two of bytes from "
                                + least
                                + " to "
                                + Ring.LARGEST
                                + ", not "
                                + size);
            }
            require(memory, place.data(), DATA, size);
            least = 2 * size;
        }
        if (least == Ring.SMALLEST) {
            throw new IllegalArgumentException("a ring has a place for its data");
        }
    }

    private static void require(MemorySegment memory, long at, int alignment, long bytes) {
        if (at < 0 || at % alignment != 0 || at > memory.byteSize() - bytes) {
            throw new IllegalArgumentException(
                    "a ring of " + bytes + " bytes does not fit at " + at);
        }
    }
}
