package org.ibidem.lab.fault.drop;

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

/// The filter `drop`: some frames never arrive, whatever their flags.
@Unfaithful(Unfaithful.Way.LOSES)
public final class DropFilter implements FrameFilter, Delivering {
    private static final DeliveryFaults FAULT = new DeliveryFaults(true, false, false);

    /// The options.
    ///
    /// @param rate share of the frames that are lost
    /// @param seed decides which
    public record Drop(double rate, long seed) {
        /// The defaults: one in ten.
        public Drop() {
            this(0.1, 1);
        }

        /// Checks the rate.
        public Drop {
            FaultySource.checkRate(rate);
        }
    }

    /// Found by its line in `META-INF/services`.
    public DropFilter() {}

    @Override
    public String name() {
        return "drop";
    }

    @Override
    public Class<Drop> options() {
        return Drop.class;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return ((Drop) options).rate() > 0 ? below.and(FAULT) : below;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Drop) options, lower.tasks())
                .link(delivery(below.delivery(), options));
    }

    private static final class Source extends FaultySource {
        private final double rate;
        private final Random random;

        Source(FrameLink lower, Drop options, Tasks tasks) {
            super(lower, tasks);
            rate = options.rate();
            random = new Random(options.seed());
        }

        @Override
        public boolean poll(Frame lent) {
            while (next(lent)) {
                if (random.nextDouble() >= rate) {
                    return true;
                }
                release();
            }
            lent.empty();
            return false;
        }
    }
}
