package org.ibidem.filter.reliable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;

/// Both ends of a link that loses, doubles, reorders and delays, in one thread and by a seed.
final class Weather {
    private static final int LARGEST = 200;

    private final RandomGenerator random;
    private final double bad;
    final End[] ends = {new End(), new End()};

    /// @param bad the share of frames to which something happens
    Weather(RandomGenerator random, double bad) {
        this.random = random;
        this.bad = bad;
        ends[0].other = ends[1];
        ends[1].other = ends[0];
    }

    final class End implements FrameLink, FrameSink, FrameSource {
        private final List<byte[]> arrived = new ArrayList<>();
        private final MemorySegment room = Arena.ofAuto().allocate(LARGEST);
        private final MemorySegment lent = Arena.ofAuto().allocate(LARGEST);
        private End other;
        boolean closed;

        /// Nothing gets through any more, and nobody is told.
        boolean cut;

        int sent;

        @Override
        public FrameSink sink() {
            return this;
        }

        @Override
        public FrameSource source() {
            return this;
        }

        @Override
        public DeliveryFaults delivery() {
            return DeliveryFaults.LOSSY;
        }

        @Override
        public boolean claim(Frame frame, int atLeast) {
            frame.show(room, 0, LARGEST);
            return true;
        }

        @Override
        public boolean commit(Frame frame, int flags) {
            var bytes =
                    room.asSlice(0, frame.position)
                            .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            frame.empty();
            sent++;
            if (!cut) {
                deliver(bytes);
            }
            return true;
        }

        private void deliver(byte[] bytes) {
            boolean happens = random.nextDouble() < bad;
            int what = happens ? random.nextInt(3) : -1;
            if (what != 0) {
                other.arrived.add(bytes);
            }
            if (what == 1) {
                other.arrived.add(bytes);
            }
            int size = other.arrived.size();
            if (what == 2 && size > 1) {
                other.arrived.add(random.nextInt(size), other.arrived.removeLast());
            }
        }

        /// As if the other end had sent it.
        void arrive(byte[] bytes) {
            arrived.add(bytes);
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
        public boolean poll(Frame frame) {
            if (arrived.isEmpty()) {
                if (other.closed) {
                    throw new LinkBroken("the other end has closed it");
                }
                return false;
            }
            var bytes = arrived.removeFirst();
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, lent, 0, bytes.length);
            frame.show(lent, 0, bytes.length);
            frame.flags = 0;
            return true;
        }

        @Override
        public void release() {}

        @Override
        public void close() {
            closed = true;
        }
    }
}
