package org.ibidem.link.loopback;

import java.lang.foreign.Arena;
import java.nio.channels.SelectableChannel;
import org.ibidem.buffer.Ring;
import org.ibidem.link.FrameLink;
import org.ibidem.ring.RingLink;
import org.jspecify.annotations.Nullable;

/// Both ends of one loopback link. Its memory goes with the last reference to it: either end may
/// still look at it after the other has closed.
///
/// @param active the end that asked
/// @param passive the other
record LoopbackPair(FrameLink active, FrameLink passive) {
    private static final int PAGE = 4096;

    static LoopbackPair of(int size, Runnable whenClosed) {
        long one = Ring.bytes(size);
        var memory = Arena.ofAuto().allocate(2 * one, PAGE);
        var activeEnd = new End(whenClosed);
        var passiveEnd = new End(whenClosed);
        var active =
                new RingLink(
                        Ring.writer(memory, 0, size), Ring.reader(memory, one, size), activeEnd);
        var passive =
                new RingLink(
                        Ring.writer(memory, one, size), Ring.reader(memory, 0, size), passiveEnd);
        activeEnd.other = passive;
        passiveEnd.other = active;
        return new LoopbackPair(active, passive);
    }

    private static final class End implements RingLink.Peer {
        private final Runnable whenClosed;
        private @Nullable RingLink other;

        End(Runnable whenClosed) {
            this.whenClosed = whenClosed;
        }

        @Override
        public void wake() {
            if (other != null) {
                other.ring();
            }
        }

        @Override
        public int drain() {
            return 0;
        }

        @Override
        public @Nullable SelectableChannel channel() {
            return null;
        }

        @Override
        public void close() {
            whenClosed.run();
            if (other != null) {
                other.broken("the peer's end of the connection is gone");
            }
        }
    }
}
