package org.ibidem.lab.seam.hoard;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamFilter;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.jspecify.annotations.Nullable;

/// The filter `hoard`: bytes leave in blocks, as those of a compressor do; what is less stays until
/// it is flushed. The reader takes blocks, too, and may have what its lower does not know of.
public final class HoardFilter implements StreamFilter {
    /// The options.
    ///
    /// @param size bytes of a block
    public record Hoard(int size) {
        /// The defaults: 4 KiB.
        public Hoard() {
            this(4 << 10);
        }

        /// Checks the size.
        public Hoard {
            if (size < 1) {
                throw new IllegalArgumentException("size is at least 1 byte, not " + size);
            }
        }
    }

    /// Found by its line in `META-INF/services`.
    public HoardFilter() {}

    @Override
    public String name() {
        return "hoard";
    }

    @Override
    public Class<Hoard> options() {
        return Hoard.class;
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) {
        return new HoardStream(below, ((Hoard) options).size());
    }

    private static final class HoardStream implements ByteStream {
        private final ByteStream lower;

        /// What was taken and is still here, from 0 to its position.
        private final ByteBuffer out;

        /// What has come and was not read, from its position to its limit.
        private final ByteBuffer in;

        HoardStream(ByteStream lower, int size) {
            this.lower = lower;
            this.out = ByteBuffer.allocateDirect(size);
            this.in = ByteBuffer.allocateDirect(size).limit(0);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int before = from.remaining();
            while (from.hasRemaining() && (out.hasRemaining() || handedOn())) {
                move(from, out);
            }
            return before - from.remaining();
        }

        private static void move(ByteBuffer from, ByteBuffer to) {
            int bytes = Math.min(from.remaining(), to.remaining());
            to.put(from.slice(from.position(), bytes));
            from.position(from.position() + bytes);
        }

        /// Makes room of the block.
        ///
        /// @return false: BUSY, nothing of it was taken
        private boolean handedOn() throws IOException {
            out.flip();
            try {
                return lower.write(out) > 0;
            } finally {
                out.compact();
            }
        }

        @Override
        public boolean flush() throws IOException {
            while (out.position() > 0) {
                if (!handedOn()) {
                    return false;
                }
            }
            return lower.flush();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (!in.hasRemaining()) {
                int got = lower.read(in.clear());
                in.flip();
                if (got <= 0) {
                    return got;
                }
            }
            int before = in.remaining();
            move(in, into);
            return before - in.remaining();
        }

        @Override
        public Waitable readable() {
            return new Unread(Waitable.of(lower.readable()), in);
        }

        @Override
        public @Nullable Waitable writable() {
            return lower.writable();
        }

        @Override
        public DeliveryFaults delivery() {
            return lower.delivery();
        }

        @Override
        public void close() {
            lower.close();
        }
    }

    /// Bytes that nobody has read yet would never wake anyone.
    private record Unread(Waitable below, ByteBuffer in) implements WaitableOver {
        @Override
        public Armed arm() {
            return in.hasRemaining() ? Armed.READY : below.arm();
        }
    }
}
