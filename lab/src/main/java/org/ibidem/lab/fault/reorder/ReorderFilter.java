package org.ibidem.lab.fault.reorder;

import java.time.Duration;
import java.util.Random;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.Copy;
import org.ibidem.lab.fault.FaultySource;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;

/// The filter `reorder`: some frames are overtaken by the next one, if that comes in time.
@Unfaithful(Unfaithful.Way.REORDERS)
public final class ReorderFilter implements FrameFilter, Delivering {
    private static final DeliveryFaults FAULT = new DeliveryFaults(false, false, true);

    /// The options.
    ///
    /// @param rate share of the frames that wait for the next
    /// @param seed decides which
    /// @param within how long they wait
    public record Reorder(double rate, long seed, Duration within) {
        /// The defaults: one in ten, for 10 ms.
        public Reorder() {
            this(0.1, 1, Duration.ofMillis(10));
        }

        /// Checks the rate.
        public Reorder {
            FaultySource.checkRate(rate);
        }
    }

    /// Found by its line in `META-INF/services`.
    public ReorderFilter() {}

    @Override
    public String name() {
        return "reorder";
    }

    @Override
    public Class<Reorder> options() {
        return Reorder.class;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return ((Reorder) options).rate() > 0 ? below.and(FAULT) : below;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Reorder) options, lower.tasks())
                .link(delivery(below.delivery(), options));
    }

    private static final class Source extends FaultySource {
        private final Reorder options;
        private final Random random;
        private final Copy held = new Copy();
        private boolean holding;
        private boolean overtaken;
        private long until;

        Source(FrameLink lower, Reorder options, Tasks tasks) {
            super(lower, tasks);
            this.options = options;
            random = new Random(options.seed());
        }

        @Override
        public boolean poll(Frame lent) {
            if (due() <= 0) {
                return letGo(lent);
            }
            try {
                if (!next(lent)) {
                    return false;
                }
            } catch (LinkBroken e) {
                if (holding) {
                    return letGo(lent); // it arrived before the link broke
                }
                throw e;
            }
            if (holding) {
                overtaken = true;
            } else if (random.nextDouble() < options.rate()) {
                held.take(lent);
                holding = true;
                until = now() + options.within().toNanos();
                return poll(lent);
            }
            return true;
        }

        private boolean letGo(Frame lent) {
            release();
            held.lend(lent);
            holding = false;
            overtaken = false;
            return true;
        }

        @Override
        protected long due() {
            if (!holding) {
                return NEVER;
            }
            return overtaken ? 0 : until - now();
        }
    }
}
