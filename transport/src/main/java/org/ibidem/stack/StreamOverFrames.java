package org.ibidem.stack;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.wait.Armed;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The adapter that carries a byte stream over frames: bytes go into whatever room there is,
/// borders mean nothing.
///
/// One copy each way, which is what crossing the paradigms costs. The peer's frame with the flag
/// `END` ends the stream. After a [#write] that answered 0, the next one must offer the same bytes
/// again.
public final class StreamOverFrames implements ByteStream {
    private final FrameLink frames;
    private final FrameSink sink;
    private final FrameSource source;
    private final Waitable readable;
    private final Frame room = new Frame();
    private final Frame lent = new Frame();

    /// Bytes of the last write that the lower sink still keeps: they count as taken when it lets
    /// them go.
    private int kept;

    private boolean ended;

    /// Puts a byte stream on `frames`.
    public StreamOverFrames(FrameLink frames) {
        this.frames = frames;
        this.sink = frames.sink();
        this.source = frames.source();
        this.readable = new Unread(Waitable.of(source), lent);
    }

    @Override
    public int write(ByteBuffer from) {
        if (kept > 0) {
            return sink.push() ? taken(from) : 0;
        }
        if (!from.hasRemaining() || !sink.claim(room, 1)) {
            return 0;
        }
        kept = (int) Math.min(from.remaining(), room.room());
        MemorySegment.copy(MemorySegment.ofBuffer(from), 0, room.memory, room.position, kept);
        room.position += kept;
        return sink.commit(room, 0) ? taken(from) : 0;
    }

    private int taken(ByteBuffer from) {
        int bytes = kept;
        from.position(from.position() + bytes);
        kept = 0;
        return bytes;
    }

    /// Nothing is kept but what [#write] has not taken yet.
    @Override
    public boolean flush() {
        return kept == 0 || sink.push();
    }

    @Override
    public int read(ByteBuffer into) {
        while (lent.room() == 0) {
            if (ended) {
                return -1;
            }
            if (!source.poll(lent)) {
                lent.empty();
                return 0;
            }
            ended = (lent.flags & Frame.END) != 0;
        }
        int bytes = (int) Math.min(into.remaining(), lent.room());
        MemorySegment.copy(lent.memory, lent.position, MemorySegment.ofBuffer(into), 0, bytes);
        into.position(into.position() + bytes);
        lent.position += bytes;
        if (lent.room() == 0) {
            source.release();
        }
        return bytes;
    }

    @Override
    public Waitable readable() {
        return readable;
    }

    @Override
    public Waitable writable() {
        return Waitable.of(sink);
    }

    @Override
    public DeliveryFaults delivery() {
        return frames.delivery();
    }

    @Override
    public boolean drain(Duration limit) {
        return frames.drain(limit);
    }

    @Override
    public void close() {
        frames.close();
    }

    /// Bytes of the lent frame that nobody has read yet would never wake anyone.
    private record Unread(Waitable below, Frame lent) implements WaitableOver {
        @Override
        public Armed arm() {
            return lent.room() == 0 ? below.arm() : Armed.READY;
        }

        @Override
        public SleepTraits traits() {
            return below.traits().looksOnce().staysWith(below.traits());
        }
    }
}
