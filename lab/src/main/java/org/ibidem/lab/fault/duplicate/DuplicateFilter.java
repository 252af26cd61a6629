package org.ibidem.lab.fault.duplicate;

import java.util.Random;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.FaultySource;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;

/// The filter `duplicate`: some frames arrive twice, one right after the other.
@Unfaithful(Unfaithful.Way.REPEATS)
public final class DuplicateFilter implements FrameFilter, Delivering {
    private static final DeliveryFaults FAULT = new DeliveryFaults(false, true, false);

    /// The options.
    ///
    /// @param rate share of the frames that arrive twice
    /// @param seed decides which
    public record Duplicate(double rate, long seed) {
        /// The defaults: one in ten.
        public Duplicate() {
            this(0.1, 1);
        }

        /// Checks the rate.
        public Duplicate {
            FaultySource.checkRate(rate);
        }
    }

    /// Found by its line in `META-INF/services`.
    public DuplicateFilter() {}

    @Override
    public String name() {
        return "duplicate";
    }

    @Override
    public Class<Duplicate> options() {
        return Duplicate.class;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return ((Duplicate) options).rate() > 0 ? below.and(FAULT) : below;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Duplicate) options, lower.tasks())
                .link(delivery(below.delivery(), options));
    }

    /// Lends the same memory twice: while a second time is due, the frame is not given back below.
    private static final class Source extends FaultySource {
        private final double rate;
        private final Random random;
        private final Frame first = new Frame();
        private boolean again;

        Source(FrameLink lower, Duplicate options, Tasks tasks) {
            super(lower, tasks);
            rate = options.rate();
            random = new Random(options.seed());
        }

        @Override
        public boolean poll(Frame lent) {
            if (again) {
                again = false;
                lent.show(first);
                return true;
            }
            if (!next(lent)) {
                return false;
            }
            again = random.nextDouble() < rate;
            first.show(lent);
            return true;
        }

        @Override
        public void release() {
            if (!again) {
                super.release();
            }
        }

        @Override
        protected long due() {
            return again ? 0 : NEVER;
        }
    }
}
