package org.ibidem.lab.fault.drop;

import java.util.Random;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.FaultySource;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lossy;
import org.ibidem.link.Lower;
import org.ibidem.link.Tasks;

/// The filter `drop`: some frames never arrive, whatever their flags.
@Unfaithful(Unfaithful.Way.LOSES)
public final class DropFilter implements FrameFilter, Lossy {
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
    public boolean loses(Record options) {
        return ((Drop) options).rate() > 0;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Drop) options, lower.tasks()).link();
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
