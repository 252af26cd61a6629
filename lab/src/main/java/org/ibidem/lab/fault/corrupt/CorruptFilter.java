package org.ibidem.lab.fault.corrupt;

import java.util.Random;
import org.ibidem.buffer.Frame;
import org.ibidem.lab.fault.Copy;
import org.ibidem.lab.fault.FaultySource;
import org.ibidem.lab.fault.Unfaithful;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.task.Tasks;

/// The filter `corrupt`: in some frames one bit of the payload is flipped. Empty frames have none.
@Unfaithful(Unfaithful.Way.ALTERS)
public final class CorruptFilter implements FrameFilter {
    /// The options.
    ///
    /// @param rate share of the frames that are altered
    /// @param seed decides which, and where
    public record Corrupt(double rate, long seed) {
        /// The defaults: one in ten.
        public Corrupt() {
            this(0.1, 1);
        }

        /// Checks the rate.
        public Corrupt {
            FaultySource.checkRate(rate);
        }
    }

    /// Found by its line in `META-INF/services`.
    public CorruptFilter() {}

    @Override
    public String name() {
        return "corrupt";
    }

    @Override
    public Class<Corrupt> options() {
        return Corrupt.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new Source(below, (Corrupt) options, lower.tasks()).link();
    }

    /// Alters a copy: the memory that was lent is the driver's, and its writer may rely on it.
    private static final class Source extends FaultySource {
        private final double rate;
        private final Random random;
        private final Copy copy = new Copy();

        Source(FrameLink lower, Corrupt options, Tasks tasks) {
            super(lower, tasks);
            rate = options.rate();
            random = new Random(options.seed());
        }

        @Override
        public boolean poll(Frame lent) {
            if (!next(lent)) {
                return false;
            }
            if (lent.room() > 0 && random.nextDouble() < rate) {
                copy.take(lent);
                copy.flip(random.nextLong(lent.room() * Byte.SIZE));
                copy.lend(lent);
            }
            return true;
        }
    }
}
