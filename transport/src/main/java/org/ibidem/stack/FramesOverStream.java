package org.ibidem.stack;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Terms;

/// The adapter that carries frames over a byte stream: each frame is 4 bytes, little-endian, and
/// its payload.
///
/// ```
/// 31    24 23                  0
/// | flags | payload length      | payload ...
/// ```
///
/// Small frames are gathered in one borrowed buffer and written at the end of the message, or when
/// the buffer is full. The format: `docs/wire/frames-over-stream.md`.
public final class FramesOverStream implements FrameLink {
    static final int HEADER = 4;
    static final int LENGTH_MASK = 0xFF_FFFF;

    /// Frames that a buffer holds at least, so that reading and writing need not wait for each
    /// other.
    private static final int FRAMES = 4;

    private final ByteStream stream;
    private final StreamSink sink;
    private final StreamSource source;

    /// Puts frames on `stream`.
    ///
    /// @param frame bytes of payload of the largest frame that both ends take
    public FramesOverStream(ByteStream stream, BufferPool pool, int frame) {
        if (frame > largest(pool)) {
            throw new IllegalArgumentException(
                    "frames of " + frame + " bytes do not fit buffers of " + pool.size());
        }
        this.stream = stream;
        this.sink = new StreamSink(stream, pool, frame);
        this.source = new StreamSource(stream, pool, frame);
    }

    /// Bytes of payload of the largest frame that goes with such buffers.
    public static int largest(BufferPool pool) {
        return Math.min(pool.size() / FRAMES, LENGTH_MASK + 1) - HEADER;
    }

    /// What a node can do that has these buffers.
    public static Terms terms(BufferPool pool) {
        return new Terms(ByteOrder.nativeOrder(), largest(pool));
    }

    @Override
    public FrameSink sink() {
        return sink;
    }

    @Override
    public FrameSource source() {
        return source;
    }

    @Override
    public DeliveryFaults delivery() {
        return stream.delivery();
    }

    @Override
    public boolean drain(Duration limit) {
        return stream.drain(limit);
    }

    @Override
    public void close() {
        stream.close();
    }

    static LinkBroken broken(String doing, IOException e) {
        return new LinkBroken(
                e instanceof ClosedChannelException
                        ? "the link was closed at this end"
                        : "the connection broke while " + doing + ": " + e.getMessage(),
                e);
    }

    /// Whether these bits may stand in a header.
    static boolean valid(int header, int largest) {
        return (header & LENGTH_MASK) <= largest && (header >>> 24 & ~Frame.WIRE_FLAGS) == 0;
    }
}
