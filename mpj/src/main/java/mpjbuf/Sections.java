package mpjbuf;

import java.lang.foreign.MemorySegment;
import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.data.Kind;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Outgoing;

/// The two sections of a buffer on their way.
final class Sections {
    private Sections() {}

    /// What is told when both have come.
    interface Whole {
        void came(int bytes, byte[] dynamic);
    }

    /// Copies so many bytes between memory and the two sections, from a position in them on.
    private static void copy(
            MemorySegment section,
            long position,
            MemorySegment other,
            long at,
            long count,
            boolean in) {
        if (in) {
            MemorySegment.copy(other, at, section, position, count);
        } else {
            MemorySegment.copy(section, position, other, at, count);
        }
    }

    static final class Sent implements Outgoing {
        private final MemorySegment fixed;
        private final int bytes;
        private final MemorySegment dynamic;
        private long position;

        Sent(MemorySegment fixed, int bytes, MemorySegment dynamic) {
            this.fixed = fixed;
            this.bytes = bytes;
            this.dynamic = dynamic;
        }

        @Override
        public int type() {
            return Kind.PACKED.code();
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public long objects() {
            return dynamic.byteSize();
        }

        @Override
        public void write(MemorySegment into, long at, int count) {
            long first = Math.clamp(bytes - position, 0L, (long) count);
            copy(fixed, position, into, at, first, false);
            if (first < count) {
                copy(dynamic, position + first - bytes, into, at + first, count - first, false);
            }
            position += count;
        }
    }

    static final class Received implements Incoming {
        private final MemorySegment fixed;
        private final int room;
        private final Whole whole;
        private byte[] dynamic = {};
        private int bytes;
        private long position;
        private boolean truncated;

        Received(MemorySegment fixed, int room, Whole whole) {
            this.fixed = fixed;
            this.room = room;
            this.whole = whole;
        }

        @Override
        public long begin(Envelope message) {
            truncated = message.bytes() > room || message.objects() > Integer.MAX_VALUE - 8;
            if (truncated) {
                return 0;
            }
            bytes = (int) message.bytes();
            dynamic = new byte[(int) message.objects()];
            return message.size();
        }

        @Override
        public void read(MemorySegment from, long at, int count) {
            long first = Math.clamp(bytes - position, 0L, (long) count);
            copy(fixed, position, from, at, first, true);
            if (first < count) {
                copy(
                        MemorySegment.ofArray(dynamic),
                        position + first - bytes,
                        from,
                        at + first,
                        count - first,
                        true);
            }
            position += count;
        }

        @Override
        public void end() {
            Fault.unless(
                    !truncated,
                    ErrorClass.TRUNCATE,
                    "a message is longer than the buffer of " + room + " bytes");
            whole.came(bytes, dynamic);
        }
    }
}
