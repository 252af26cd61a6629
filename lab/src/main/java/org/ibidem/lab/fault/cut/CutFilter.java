package org.ibidem.lab.fault.cut;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamFilter;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// The filter `cut`: the connection breaks when an end has written so many bytes.
@Unfaithful(Unfaithful.Way.CUTS)
public final class CutFilter implements StreamFilter {
    /// The options.
    ///
    /// @param after bytes that each end can write
    public record Cut(long after) {
        /// The defaults: 1 MiB.
        public Cut() {
            this(1 << 20);
        }

        /// Checks the count.
        public Cut {
            if (after < 1) {
                throw new IllegalArgumentException("after is at least 1 byte, not " + after);
            }
        }
    }

    /// Found by its line in `META-INF/services`.
    public CutFilter() {}

    @Override
    public String name() {
        return "cut";
    }

    @Override
    public Class<Cut> options() {
        return Cut.class;
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) {
        return new CutStream(below, ((Cut) options).after());
    }

    private static final class CutStream implements ByteStream {
        private final ByteStream lower;
        private final long after;
        private volatile long left;

        CutStream(ByteStream lower, long after) {
            this.lower = lower;
            this.after = after;
            this.left = after;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            check();
            int end = from.limit();
            from.limit(from.position() + (int) Math.min(left, from.remaining()));
            int taken = lower.write(from);
            from.limit(end);
            long rest = left - taken; // one writer at a time
            left = rest;
            if (rest == 0) {
                lower.close();
            }
            return taken;
        }

        @Override
        public boolean flush() throws IOException {
            check();
            return lower.flush();
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            check();
            return lower.read(into);
        }

        private void check() throws IOException {
            if (left == 0) {
                throw new IOException("cut after " + after + " bytes, as the stack says");
            }
        }

        @Override
        public @Nullable Waitable readable() {
            return lower.readable();
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
}
