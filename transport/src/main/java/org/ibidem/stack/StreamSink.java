package org.ibidem.stack;

import static org.ibidem.stack.FramesOverStream.HEADER;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Chunk;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.FrameSink;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// The sending side of [FramesOverStream]: frames are filled in place in a borrowed buffer, then
/// written in one go.
final class StreamSink implements FrameSink, WaitableOver {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int SMALL = 4 << 10;

    /// So much is held back at most: most bytes a call of the kernel, of what is still in the
    /// core's own cache (measured: docs/design/seam.md).
    private static final int MOST_HELD = 768 << 10;

    private final ByteStream stream;
    private final BufferPool pool;
    private final int largest;
    private final Waitable writable;

    /// Kept, so that a short message needs neither to borrow a buffer nor to claim room.
    private @Nullable Chunk small;

    /// What is being filled: `small` or borrowed.
    private @Nullable Chunk chunk;

    /// First byte not yet taken by the stream, and first byte not yet committed.
    private int unsent;

    private int end;

    /// Bytes in the buffer that was written last: so much it will be again. Where it was more than
    /// fits the usual one, fewer calls of the kernel make it faster.
    private int lately = SMALL + 1;

    /// Whether somebody above may be filling in what follows `end`.
    private boolean granted;

    /// What the last write failed of.
    private @Nullable IOException failed;

    StreamSink(ByteStream stream, BufferPool pool, int largest) {
        this.stream = stream;
        this.pool = pool;
        this.largest = largest;
        this.writable = Waitable.of(stream.writable());
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        if (atLeast > largest) {
            throw new IllegalArgumentException(
                    "a claim of "
                            + atLeast
                            + " bytes; frames over this stream have at most "
                            + largest);
        }
        var mine = chunk;
        if (mine != null && mine.size() - end < atLeast + HEADER) {
            granted = false; // what was granted is void
            if (isSmall(mine)) {
                mine = grown(mine);
            } else if (written()) {
                lately = pool.size() + 1;
                mine = null;
            } else {
                return false;
            }
        }
        if (mine == null) {
            mine = fitting(atLeast);
        }
        chunk = mine;
        grant(room, mine);
        return true;
    }

    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    private boolean isSmall(Chunk mine) {
        return mine == small;
    }

    private Chunk fitting(int atLeast) {
        if (lately > pool.size()) {
            return pool.borrowLarge();
        }
        if (Math.max(lately, atLeast + HEADER) > SMALL) {
            return pool.borrow();
        }
        var mine = small;
        if (mine == null) {
            mine = Chunk.allocate(Math.min(SMALL, pool.size()));
            small = mine;
        }
        return mine;
    }

    /// A borrowed buffer with what is in the small one and not written yet.
    private Chunk grown(Chunk from) {
        var to = pool.borrow();
        end -= unsent;
        MemorySegment.copy(from.segment(), unsent, to.segment(), 0, end);
        unsent = 0;
        return to;
    }

    private void grant(Frame room, Chunk mine) {
        int start = end + HEADER;
        room.show(mine.segment(), start, Math.min(mine.size(), start + largest));
        granted = true;
    }

    @Override
    public boolean commit(Frame room, int flags) {
        var mine = chunk;
        int length = (int) (room.position - end - HEADER);
        if (mine == null || length < 0 || length > largest) {
            throw new IllegalStateException(
                    "commit of " + length + " bytes without a claim for them");
        }
        mine.segment().set(INT, end, length | (flags & Frame.WIRE_FLAGS) << 24);
        end = (int) room.position;
        granted = false;
        boolean last =
                (flags & Frame.MORE) == 0
                        && ((flags & Frame.HOLD) == 0 || end - unsent >= MOST_HELD);
        boolean sent = last && written() && flushed();
        if ((!last || (sent && isSmall(mine))) && mine.size() - end > HEADER) {
            grant(room, mine);
        } else {
            room.empty();
        }
        return sent;
    }

    @Override
    public boolean push() {
        return written() && flushed();
    }

    /// The end of a message must not stay in a filter that gathers bytes.
    private boolean flushed() {
        try {
            return stream.flush();
        } catch (IOException e) {
            throw FramesOverStream.broken("writing", e);
        }
    }

    /// Writes what is committed, and gives the buffer back unless room in it was granted since.
    ///
    /// @return false: BUSY, some is still here
    private boolean written() {
        var mine = chunk;
        if (mine == null) {
            if (failed != null) {
                throw FramesOverStream.broken("writing", failed);
            }
            return true;
        }
        var bytes = mine.bytes();
        try {
            while (unsent < end) {
                bytes.limit(end).position(unsent);
                int taken = stream.write(bytes);
                if (taken == 0) {
                    return false;
                }
                unsent += taken;
            }
        } catch (IOException e) {
            failed = e;
            letGo(mine); // else a lost link keeps it until it is garbage
            throw FramesOverStream.broken("writing", e);
        }
        letGo(mine);
        return true;
    }

    private void letGo(Chunk mine) {
        if (!granted) {
            lately = end;
            unsent = 0;
            end = 0;
            if (!isSmall(mine)) {
                chunk = null;
                pool.giveBack(mine);
            }
        }
    }

    @Override
    public int largest() {
        return largest;
    }

    @Override
    public Waitable below() {
        return writable;
    }

    @Override
    public SleepTraits traits() {
        return writable.traits().looksOnce().staysWith(writable.traits());
    }
}
