package org.ibidem.stack;

import static org.ibidem.stack.FramesOverStream.HEADER;
import static org.ibidem.stack.FramesOverStream.LENGTH_MASK;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Chunk;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// The receiving side of [FramesOverStream]: reads as much as there is into a borrowed buffer and
/// lends frames out of it.
final class StreamSource implements FrameSource, WaitableOver {
    private final ByteStream stream;
    private final BufferPool pool;
    private final int largest;
    private final Waitable sleepy;

    private @Nullable Chunk chunk;
    private int position;
    private int end;

    StreamSource(ByteStream stream, BufferPool pool, int largest) {
        this.stream = stream;
        this.pool = pool;
        this.largest = largest;
        this.sleepy = Waitable.of(stream.readable());
    }

    /// Lends the next frame that is here, and reads until one is or nothing comes. Then it gives
    /// the buffer back at once, not only before a sleep: of thousands of links that are looked at
    /// one after the other each would have one meanwhile.
    @Override
    public boolean poll(Frame lent) {
        while (!lend(lent)) {
            try {
                if (!took(stream.read(room()))) {
                    release();
                    return false;
                }
            } catch (IOException e) {
                throw over(FramesOverStream.broken("reading", e));
            }
        }
        return true;
    }

    /// Reads so many times more where nothing comes.
    @Override
    public boolean poll(Frame lent, int more) {
        while (!lend(lent)) {
            var room = room();
            try {
                int got = stream.read(room);
                for (int left = more; got == 0 && left > 0; left--) {
                    got = stream.read(room);
                }
                if (!took(got)) {
                    release();
                    return false;
                }
            } catch (IOException e) {
                throw over(FramesOverStream.broken("reading", e));
            }
        }
        return true;
    }

    private ByteBuffer room() {
        return readable().bytes().limit(pool.size()).position(end);
    }

    private boolean took(int got) {
        if (got < 0) {
            throw over(ended());
        }
        end += got;
        return got > 0;
    }

    @Override
    public SleepTraits traits() {
        return new SleepTraits(sleepy.traits().announces(), true, sleepy.traits().stays());
    }

    /// Nothing comes any more: who has lost his link does not keep the buffer, too. Nothing in it
    /// is lent, as somebody polls.
    private LinkBroken over(LinkBroken why) {
        position = end;
        release();
        return why;
    }

    private LinkBroken ended() {
        return new LinkBroken(
                position == end
                        ? "the peer's end of the connection is gone"
                        : "the peer's end of the connection went away in the middle of a frame");
    }

    private boolean lend(Frame lent) {
        var mine = chunk;
        if (mine == null || end - position < HEADER) {
            return false;
        }
        int header = header(mine);
        int length = header & LENGTH_MASK;
        int start = position + HEADER;
        if (end - start < length) {
            return false;
        }
        lent.show(mine.segment(), start, (long) start + length);
        lent.flags = header >>> 24;
        position = start + length;
        return true;
    }

    /// A header without flags is the length.
    @Override
    public boolean isFollowed() {
        var mine = chunk;
        int there = end - position - HEADER;
        if (mine == null || there < 0) {
            return false;
        }
        int header = mine.segment().get(StreamSink.INT, position);
        return header >= 0 && header <= Math.min(there, largest);
    }

    private int header(Chunk mine) {
        int header = mine.segment().get(StreamSink.INT, position);
        if (!FramesOverStream.valid(header, largest)) {
            stream.close();
            throw new LinkBroken(
                    "the peer sent 0x"
                            + Integer.toHexString(header)
                            + " where a frame's header must be;"
                            + " the connection was closed");
        }
        return header;
    }

    /// The buffer, with room behind `end` for at least the rest of one frame.
    private Chunk readable() {
        var mine = chunk;
        if (mine == null) {
            mine = pool.borrow();
            chunk = mine;
        } else {
            makeRoom(mine);
        }
        return mine;
    }

    /// Everything before `position` is given back by now; the tail moves only when the next frame
    /// might not fit.
    private void makeRoom(Chunk mine) {
        int rest = end - position;
        if (rest == 0) {
            position = 0;
            end = 0;
        } else if (pool.size() - position < HEADER + largest) {
            MemorySegment.copy(mine.segment(), position, mine.segment(), 0, rest);
            position = 0;
            end = rest;
        }
    }

    @Override
    public void release() {
        var mine = chunk;
        if (mine != null && position == end) {
            chunk = null;
            position = 0;
            end = 0;
            pool.giveBack(mine);
        }
    }

    /// A whole frame that is here already would never make the channel ready, nor would garbage.
    @Override
    public Armed arm() {
        var mine = chunk;
        if (mine != null && end - position >= HEADER) {
            int header = mine.segment().get(StreamSink.INT, position);
            if (!FramesOverStream.valid(header, largest)
                    || end - position - HEADER >= (header & LENGTH_MASK)) {
                return Armed.READY;
            }
        }
        release();
        return sleepy.arm();
    }

    @Override
    public Waitable below() {
        return sleepy;
    }
}
