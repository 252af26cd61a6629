package org.ibidem.link;

import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.wait.Waitable;

/// Whatever comes on a stream, in pieces of any size: the frames that
/// docs/wire/frames-over-stream.md says are there, then a violation if there is one.
///
/// The first byte says how large the pieces are.
public final class FramesFuzz {
    private static final BufferPool POOL = new BufferPool();
    private static final int LARGEST = (64 << 10) - 4;

    private FramesFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        var stream = new Pieces(ByteBuffer.wrap(input).position(1), 1 + (input[0] & 0xFF));
        var source = new FramesOverStream(stream, POOL, LARGEST).source();
        var expected = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).position(1);
        var frame = new Frame();
        boolean broken = false;
        try {
            while (true) {
                if (source.poll(frame)) {
                    same(expected, frame);
                } else if (!stream.bytes.hasRemaining()) {
                    break;
                }
                ((Waitable) source).arm();
            }
        } catch (LinkBroken _) {
            broken = true;
        }
        source.release();
        if (broken != violated(expected)) {
            throw new AssertionError("broken: " + broken + " at " + expected);
        }
    }

    private static void same(ByteBuffer expected, Frame frame) {
        int header = expected.getInt();
        if (frame.flags != header >>> 24 || frame.room() != (header & 0xFF_FFFF)) {
            throw new AssertionError(
                    "header "
                            + Integer.toHexString(header)
                            + " was read as "
                            + frame.room()
                            + " bytes");
        }
        for (long at = frame.position; at < frame.limit; at++) {
            if (frame.memory.get(ValueLayout.JAVA_BYTE, at) != expected.get()) {
                throw new AssertionError("the payload differs before " + expected);
            }
        }
    }

    private static boolean violated(ByteBuffer rest) {
        if (rest.remaining() < Integer.BYTES) {
            return false;
        }
        int header = rest.getInt(rest.position());
        return (header & 0xFF_FFFF) > LARGEST || header >>> 24 > 7;
    }

    private record Pieces(ByteBuffer bytes, int most) implements ByteStream {
        @Override
        public int write(ByteBuffer from) {
            throw new AssertionError("nobody writes");
        }

        @Override
        public int read(ByteBuffer into) {
            int some = Math.min(Math.min(most, bytes.remaining()), into.remaining());
            into.put(bytes.slice(bytes.position(), some));
            bytes.position(bytes.position() + some);
            return some;
        }

        @Override
        public Waitable readable() {
            return null;
        }

        @Override
        public Waitable writable() {
            return null;
        }

        @Override
        public void close() {}
    }
}
