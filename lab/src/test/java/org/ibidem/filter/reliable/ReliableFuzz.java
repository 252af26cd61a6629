package org.ibidem.filter.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fuzz.Never;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;

/// Whatever a peer sends: frames in order, or a link that is broken and says why.
///
/// Each frame is a byte with its length, and as many bytes; one of length 0 has a frame written
/// here instead.
public final class ReliableFuzz {
    private static final int LARGEST = 256;

    private ReliableFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        var below = new Peer();
        var link = new ReliableLink(below, 0, new Reliable(), new Never());
        var lent = new Frame();
        var room = new Frame();
        try {
            for (int at = 0; at < input.length; ) {
                int length = input[at++] & 0xff;
                int end = Math.min(input.length, at + length);
                if (length == 0 && link.sink().claim(room, 1)) {
                    room.position++;
                    link.sink().commit(room, 0);
                } else {
                    below.arrived.add(Arrays.copyOfRange(input, at, end));
                }
                at = end;
                while (link.source().poll(lent)) {
                    check(lent);
                }
            }
        } catch (LinkBroken _) {
            // as it must be, where the peer broke the rules
        }
        link.close();
    }

    private static void check(Frame lent) {
        if (lent.room() < 0
                || lent.room() > LARGEST - Header.BYTES
                || (lent.flags & ~Frame.WIRE_FLAGS) != 0) {
            throw new AssertionError(lent.room() + " bytes, flags " + lent.flags);
        }
    }

    /// Sends what it is given, and hears nothing.
    private static final class Peer implements FrameLink, FrameSink, FrameSource {
        final Deque<byte[]> arrived = new ArrayDeque<>();
        private final MemorySegment out = Arena.ofAuto().allocate(LARGEST);
        private final MemorySegment in = Arena.ofAuto().allocate(LARGEST);

        @Override
        public FrameSink sink() {
            return this;
        }

        @Override
        public FrameSource source() {
            return this;
        }

        @Override
        public boolean claim(Frame room, int atLeast) {
            room.show(out, 0, LARGEST);
            return true;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            room.empty();
            return true;
        }

        @Override
        public boolean push() {
            return true;
        }

        @Override
        public int largest() {
            return LARGEST;
        }

        @Override
        public boolean poll(Frame lent) {
            var next = arrived.poll();
            if (next == null) {
                return false;
            }
            MemorySegment.copy(MemorySegment.ofArray(next), 0, in, 0, next.length);
            lent.show(in, 0, next.length);
            lent.flags = 0;
            return true;
        }

        @Override
        public void release() {}

        @Override
        public void close() {}
    }
}
