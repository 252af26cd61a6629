package org.ibidem.link;

import static org.ibidem.link.FramesOverStream.HEADER;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Chunk;
import org.ibidem.buffer.Frame;
import org.jspecify.annotations.Nullable;

/// The sending side of [FramesOverStream]: frames are filled in place in a borrowed buffer, then
/// written in one go.
final class StreamSink implements FrameSink, SleepyOver {
    static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ByteStream stream;
    private final BufferPool pool;
    private final int largest;
    private final Sleepy writable;

    private @Nullable Chunk chunk;

    /// First byte not yet taken by the stream, and first byte not yet committed.
    private int unsent;

    private int end;

    /// Whether somebody above may be filling in what follows `end`.
    private boolean granted;

    StreamSink(ByteStream stream, BufferPool pool, int largest) {
        this.stream = stream;
        this.pool = pool;
        this.largest = largest;
        this.writable = Sleepy.of(stream.writable());
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
        if (pool.size() - end < atLeast + HEADER) {
            granted = false; // what was granted is void
            if (!push()) {
                return false;
            }
        }
        var mine = chunk;
        if (mine == null) {
            mine = pool.borrow();
            chunk = mine;
        }
        grant(room, mine.segment());
        return true;
    }

    private void grant(Frame room, MemorySegment memory) {
        int start = end + HEADER;
        room.show(memory, start, Math.min(pool.size(), start + largest));
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
        boolean last = (flags & (Frame.MORE | Frame.HOLD)) == 0;
        boolean sent = last && push();
        if (last || pool.size() - end <= HEADER) {
            room.empty();
        } else {
            grant(room, mine.segment());
        }
        return sent;
    }

    /// Writes what is committed, and gives the buffer back unless room in it was granted since.
    @Override
    public boolean push() {
        var mine = chunk;
        if (mine == null) {
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
            throw FramesOverStream.broken("writing", e);
        }
        if (!granted) {
            unsent = 0;
            end = 0;
            chunk = null;
            pool.giveBack(mine);
        }
        return true;
    }

    @Override
    public int largest() {
        return largest;
    }

    @Override
    public Sleepy below() {
        return writable;
    }
}
