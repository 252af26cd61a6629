package org.ibidem.lab.fault.delay;

import java.time.Duration;
import java.util.ArrayDeque;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.Copy;
import org.ibidem.lab.fault.FaultySource;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The filter `delay`: every frame arrives later, in order. Time counts from when the reader could
/// first have had it.
public final class DelayFilter implements FrameFilter {
    /// The options.
    ///
    /// @param by how much later
    /// @param most bytes on their way at once; when there are as many, the writer gets no more room
    public record Delay(Duration by, int most) {
        /// The defaults: 1 ms, 1 MiB.
        public Delay() {
            this(Duration.ofMillis(1), 1 << 20);
        }

        /// Checks the bound.
        public Delay {
            if (most < 1) {
                throw new IllegalArgumentException("most is at least 1 byte, not " + most);
            }
        }
    }

    /// Found by its line in `META-INF/services`.
    public DelayFilter() {}

    @Override
    public String name() {
        return "delay";
    }

    @Override
    public Class<Delay> options() {
        return Delay.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Delay) options, lower.tasks()).link();
    }

    private record Late(Copy copy, long due) {}

    private static final class Source extends FaultySource {
        /// What an empty frame counts for, so that their number is bounded too.
        private static final int OVERHEAD = 64;

        private final Delay options;
        private final ArrayDeque<Late> late = new ArrayDeque<>();
        private final ArrayDeque<Copy> free = new ArrayDeque<>();
        private long bytes;
        private @Nullable Copy lentCopy;
        private @Nullable LinkBroken broken;

        Source(FrameLink lower, Delay options, Tasks tasks) {
            super(lower, tasks);
            this.options = options;
        }

        @Override
        public boolean poll(Frame lent) {
            giveBack();
            takeIn(lent);
            lent.empty();
            if (broken != null && late.isEmpty()) {
                throw broken;
            }
            if (due() > 0) {
                return false;
            }
            var copy = late.remove().copy();
            lentCopy = copy;
            copy.lend(lent);
            return true;
        }

        private void takeIn(Frame lent) {
            try {
                while (broken == null && bytes < options.most() && next(lent)) {
                    var copy = free.isEmpty() ? new Copy() : free.remove();
                    copy.take(lent);
                    bytes += copy.length() + OVERHEAD;
                    late.add(new Late(copy, now() + options.by().toNanos()));
                }
                if (broken == null) {
                    super.release();
                }
            } catch (LinkBroken e) {
                broken = e;
            }
        }

        private void giveBack() {
            var copy = lentCopy;
            if (copy != null) {
                lentCopy = null;
                bytes -= copy.length() + OVERHEAD;
                free.add(copy);
            }
        }

        @Override
        public void release() {
            giveBack();
        }

        /// A broken link is news too, once everything before it has arrived.
        @Override
        protected long due() {
            var first = late.peek();
            if (first == null) {
                return broken == null ? NEVER : 0;
            }
            return first.due() - now();
        }
    }
}
