package org.ibidem.control;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.Malformed;

/// Whatever comes on a control link: frames within their bounds, or a violation; and whatever is in
/// a message: fields within their bounds, or a violation.
public final class ControlFuzz {
    private static final int MOST = 1024;

    private ControlFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        try (var channel = Channels.newChannel(new ByteArrayInputStream(input))) {
            var frames = new ControlFrames.Reader(MOST);
            while (true) {
                var frame = frames.next(channel);
                if (frame.payload.length > MOST) {
                    throw new AssertionError("a frame of " + frame.payload.length + " bytes");
                }
                readFields(frame.payload);
            }
        } catch (EOFException | Malformed _) {
            // as it must be
        }
    }

    private static void readFields(byte[] message) {
        var in = new ControlReader(message);
        while (in.remaining() > 0) {
            switch (in.u8("kind") % 7) {
                case 0 -> in.u16("u16");
                case 1 -> in.i32("i32");
                case 2 -> in.i64("i64");
                case 3 -> require(in.bytes("bytes", 100).length <= 100);
                case 4 -> require(in.text("text", 100).length() <= 100);
                case 5 -> require(in.count("count", 100) <= 100);
                default -> in.end();
            }
        }
    }

    private static void require(boolean bounded) {
        if (!bounded) {
            throw new AssertionError("over its bound");
        }
    }
}
