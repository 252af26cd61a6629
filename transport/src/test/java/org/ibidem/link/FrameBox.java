package org.ibidem.link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.SelectableChannel;
import java.util.ArrayDeque;
import org.ibidem.buffer.Frame;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A frame link to itself that says BUSY when it is told to.
public final class FrameBox implements FrameLink {
    private static final int SIZE = 1 << 12;

    private record Sent(byte[] bytes, int flags) {}

    private final MemorySegment out = Arena.ofAuto().allocate(SIZE);
    private final MemorySegment in = Arena.ofAuto().allocate(SIZE);
    private final ArrayDeque<Sent> frames = new ArrayDeque<>();

    /// What claims and pushes answer.
    public boolean busy;

    /// Bytes between header and limit of the room that is granted.
    public int room = SIZE / 2;

    /// Frames given back.
    public int released;

    /// How often a waiter armed it.
    public int armed;

    /// Whether it was closed.
    public boolean closed;

    /// Lets the reader find a frame.
    public void arrive(byte[] bytes, int flags) {
        frames.add(new Sent(bytes, flags));
    }

    @Override
    public FrameSink sink() {
        return new BoxSink();
    }

    @Override
    public FrameSource source() {
        return new BoxSource();
    }

    @Override
    public void close() {
        closed = true;
    }

    private final class BoxSink implements FrameSink {
        @Override
        public boolean claim(Frame frame, int atLeast) {
            if (busy) {
                return false;
            }
            grant(frame);
            return true;
        }

        private void grant(Frame frame) {
            frame.memory = out;
            frame.start = 0;
            frame.position = 0;
            frame.limit = room;
        }

        @Override
        public boolean commit(Frame frame, int flags) {
            var bytes = frame.memory.asSlice(0, frame.position);
            arrive(bytes.toArray(ValueLayout.JAVA_BYTE), flags);
            grant(frame);
            return !busy;
        }

        @Override
        public boolean push() {
            return !busy;
        }

        @Override
        public int largest() {
            return SIZE / 2;
        }
    }

    private final class BoxSource implements FrameSource, Waitable {
        @Override
        public boolean poll(Frame lent) {
            var sent = frames.poll();
            if (sent == null) {
                return false;
            }
            MemorySegment.copy(MemorySegment.ofArray(sent.bytes), 0, in, 0, sent.bytes.length);
            lent.memory = in;
            lent.start = 0;
            lent.position = 0;
            lent.limit = sent.bytes.length;
            lent.flags = sent.flags;
            return true;
        }

        @Override
        public void release() {
            released++;
        }

        @Override
        public Armed arm() {
            armed++;
            return Armed.quiet(frames.isEmpty());
        }

        @Override
        public void disarm() {}

        @Override
        public @Nullable SelectableChannel channel() {
            return null;
        }

        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void bell(Doorbell bell) {}
    }
}
