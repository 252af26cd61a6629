package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A window on memory that belongs to a driver: the driver fills it in, the layers above move
/// [#position].
///
/// One per message-port side, reused for ever, no virtual calls. The memory is off-heap, always: a
/// single heap segment seen by the shared message code makes every primitive several times dearer
/// for the whole process.
///
/// ```
///  start        position            limit
///    | headers    | free (sending)    |
///    |            | unread (reading)  |
/// ```
public final class Frame {
    /// Flag on a committed or lent frame: the message goes on in the next frame.
    public static final int MORE = 1;

    /// Flag: the sender closes this direction of the connection; the frame carries no message.
    public static final int END = 2;

    /// Flag: the sender gave this message up; what was read of it must not be used.
    public static final int ABANDONED = 4;

    /// Flag for `commit` only, never on the wire: keep the frame until the next push, as long as
    /// little is kept.
    public static final int HOLD = 16;

    /// The flags that travel.
    public static final int WIRE_FLAGS = MORE | END | ABANDONED;

    /// Stands for "no memory yet".
    private static final MemorySegment NONE = MemorySegment.NULL;

    /// The smallest page of any machine.
    private static final int PAGE = 4096;

    /// The driver's memory; stable for the life of a link in most drivers.
    public MemorySegment memory = NONE;

    /// Sending: where the headers of the filters begin.
    public long start;

    /// Where the next byte is written or read.
    public long position;

    /// First offset past the room (sending) or past the payload (reading).
    public long limit;

    /// Reading: the flags the frame was committed with.
    public int flags;

    /// Whether another thread or process has the memory before it: a ring. That of a file can be
    /// cut short. Kept by who shows it; so only [Frame] sets [#memory].
    public boolean shared;

    /// Makes a frame without room.
    public Frame() {}

    /// Whether its memory can be used: where a file is mapped, it may have been cut short. Looks at
    /// each page; not for every day.
    public boolean isThere() {
        var one = new byte[1];
        try {
            for (long at = start;
                    at < limit;
                    at = Math.min(at + PAGE, Math.max(at + 1, limit - 1))) {
                MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, at, one, 0, 1);
            }
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    /// Sets the window, on memory of this side alone. It is mostly the same as before: then its
    /// reference is not stored, which would cost the collector's barrier.
    public void show(MemorySegment where, long from, long to) {
        show(where, false, from, to);
    }

    /// The same, on memory that is shared.
    public void showShared(MemorySegment where, long from, long to) {
        show(where, true, from, to);
    }

    /// Shows what the other shows.
    public void show(Frame other) {
        show(other.memory, other.shared, other.start, other.limit);
        position = other.position;
        flags = other.flags;
    }

    /// What was in it is committed: it goes on with what follows, up to the same limit.
    void next(long from) {
        start = from;
        position = from;
    }

    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // just this one
    private void show(MemorySegment where, boolean isShared, long from, long to) {
        if (memory != where) {
            memory = where;
            shared = isShared;
        }
        start = from;
        position = from;
        limit = to;
    }

    /// Bytes between position and limit.
    public long room() {
        return limit - position;
    }

    /// Forgets the window, so that nothing above can touch memory that went back.
    public void empty() {
        start = 0;
        position = 0;
        limit = 0;
    }
}
