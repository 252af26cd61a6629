package org.ibidem.filter.conversion;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;

/// A frame from a machine of the other byte order: turned round twice it is what it was, or it is
/// refused, the first time.
public final class ConversionFuzz {
    private ConversionFuzz() {}

    /// What one frame comes over.
    private static final class One implements FrameLink, FrameSource {
        private final byte[] frame;
        boolean closed;

        One(byte[] frame) {
            this.frame = frame;
        }

        @Override
        public FrameSink sink() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FrameSource source() {
            return this;
        }

        @Override
        public boolean poll(Frame lent) {
            lent.show(MemorySegment.ofArray(frame), 0, frame.length);
            return true;
        }

        @Override
        public void release() {
            // it is nobody else's
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        var before = input.clone();
        var link = new One(input);
        byte[] once;
        try {
            once = turned(link);
        } catch (LinkBroken _) {
            if (!link.closed) {
                throw new AssertionError("refused, and not closed");
            }
            return;
        }
        if (!Arrays.equals(before, input)) {
            throw new AssertionError("what was lent is changed");
        }
        if (!Arrays.equals(before, turned(new One(once)))) {
            throw new AssertionError("not what it was");
        }
    }

    private static byte[] turned(One link) {
        var lent = new Frame();
        new ConvertingSource(link).poll(lent);
        var bytes = new byte[(int) lent.room()];
        MemorySegment.ofArray(bytes).copyFrom(lent.memory.asSlice(lent.position, bytes.length));
        return bytes;
    }
}
