package org.ibidem.port;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Run;
import org.ibidem.link.LinkBroken;
import org.jspecify.annotations.Nullable;

/// The lowest layer of a [ReadMessage]: one frame after the other, and what there is to say where
/// none follows.
abstract sealed class FrameReader permits RunReader {
    final ReceivePort port;
    final Frame frame = new Frame();

    @Nullable Input input;
    boolean live;

    /// Bytes in frames wholly read already, and where the payload of the frame in hand began.
    long consumed;

    long from;

    FrameReader(ReceivePort port) {
        this.port = port;
    }

    /// The first frame is in hand.
    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    final void start(Input origin) {
        if (input != origin) {
            input = origin;
        }
        live = true;
        consumed = 0;
        from = frame.position;
    }

    /// Another frame is in hand, or none.
    abstract void entered();

    final Input live() {
        var mine = input;
        if (!live || mine == null) {
            throw new IllegalStateException(
                    "the message is closed; receive the next from the port");
        }
        return mine;
    }

    final boolean isLive() {
        return live;
    }

    /// Gets the message's next frame, which there is. Waits here, so that few methods lie between a
    /// user's call and the system's.
    final void next() {
        var f = frame;
        leave();
        try {
            var source = port.source();
            if (!source.poll(f, 0)) {
                var inputs = port.inputs();
                try {
                    inputs.waitInMessage();
                    while (!source.poll(f, 0)) {
                        inputs.idleInMessage();
                    }
                } finally {
                    inputs.waitedInMessage();
                }
            }
        } catch (LinkBroken e) {
            throw lost(e);
        }
        enterFrame();
    }

    /// As [#next], if there is one.
    final boolean nextIfHere() {
        leave();
        try {
            if (!port.source().poll(frame)) {
                return false;
            }
        } catch (LinkBroken e) {
            throw lost(e);
        }
        enterFrame();
        return true;
    }

    /// What is left of the frame must not be looked at any more, also when waiting for the next is
    /// interrupted.
    private void leave() {
        consumed += frame.position - from;
        frame.empty();
        from = 0;
        entered();
    }

    private void enterFrame() {
        var f = frame;
        from = f.position;
        entered();
        if ((f.flags & (Frame.END | Frame.ABANDONED)) != 0) {
            endsInMiddle();
        }
    }

    final ConnectionLost lost(LinkBroken e) {
        leave();
        frame.flags = 0;
        return port.inputs().brokenInMessage(e);
    }

    /// The memory was taken away under the message; the JVM says so by this error.
    final ConnectionLost cut(InternalError e) {
        return lost(LinkBroken.cut(e));
    }

    final int tagHere() {
        return Run.read(frame.memory, frame.position);
    }

    final long readLength(long at) {
        return frame.memory.get(Layouts.LITTLE, at);
    }

    /// Copies bytes out of the frame in hand.
    final void copy(byte[] into, int offset, int count) {
        MemorySegment.copy(frame.memory, Layouts.BYTE, frame.position, into, offset, count);
    }

    private void endsInMiddle() {
        boolean abandoned = (frame.flags & Frame.END) == 0;
        frame.flags = 0;
        if (abandoned) {
            throw new MessageAbandoned(Objects.requireNonNull(input).origin);
        }
        throw port.inputs().endedInMessage();
    }
}
