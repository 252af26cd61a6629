package org.ibidem.link;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;

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

    /// The largest payload of one frame, in bytes.
    public static final int LARGEST = (64 << 10) - HEADER;

    private final ByteStream stream;
    private final StreamSink sink;
    private final StreamSource source;

    /// Puts frames on `stream`.
    public FramesOverStream(ByteStream stream, BufferPool pool) {
        this.stream = stream;
        this.sink = new StreamSink(stream, pool);
        this.source = new StreamSource(stream, pool);
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
    static boolean valid(int header) {
        return (header & LENGTH_MASK) <= LARGEST && (header >>> 24 & ~Frame.WIRE_FLAGS) == 0;
    }
}
