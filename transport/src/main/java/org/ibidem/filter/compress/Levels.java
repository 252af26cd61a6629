package org.ibidem.filter.compress;

import java.util.List;
import java.util.Locale;
import org.ibidem.codec.Codec;

/// Chooses for each block how hard it is compressed, from what was seen of those before it and
/// nothing else: the same samples give the same choices.
///
/// Bytes get along with the slower of two: the codec, and the line times what the codec makes of
/// it. Where nothing ever waits for the line, nothing is compressed: it could not become faster.
final class Levels {
    /// A change must pay so much.
    private static final double GAIN = 1.1;

    /// So many bytes that waited for nothing, uncompressed: the line is no limit any more. More
    /// than a kernel takes at once.
    private static final long UNLIMITED = 8 << 20;

    /// The same of compressed ones: the codec is the limit.
    private static final long CODEC_BOUND = 4 << 20;

    /// What is known of the line is of the last so many bytes, or seconds.
    private static final double MEMORY = 16 << 20;

    private static final double MEMORY_NANOS = 2e9;

    /// At first, buffers grow and take what the line does not: what came before so many bytes or so
    /// much waiting says nothing of the line, and as much again must have come to know it.
    private static final double FIRST_BYTES = 8 << 20;

    private static final double FIRST_NANOS = 0.2e9;

    /// Smaller blocks say little of a codec.
    private static final int TELLING = 16 << 10;

    /// Uncompressed blocks between two attempts, in case that the data have changed.
    private static final int PAUSE = 64;

    /// How often the codec is found to be the limit before the line is measured again; twice as
    /// often each time.
    private static final int FIRST_LOOK = 8;

    private static final int LAST_LOOK = 256;

    private final List<Codec.Level> levels;
    private final double[] rates;
    private final double[] ratios;

    private int current;

    /// Buffers have had the time to grow; and then enough was seen of the line.
    private boolean limited;

    private boolean known;
    private double lineBytes;
    private double lineNanos;

    /// Bytes since something waited last, and those of them that are not in `lineBytes` yet.
    private long free;

    private long pending;
    private int plain;
    private int bound;
    private int look = FIRST_LOOK;

    /// Among these, which are 1, 2 and so on; 0 is to do nothing.
    Levels(List<Codec.Level> levels) {
        this.levels = levels;
        this.rates = new double[levels.size() + 1];
        this.ratios = new double[levels.size() + 1];
    }

    /// A block has gone out.
    void seen(Sample sample) {
        line(sample);
        if (sample.level() > 0 && sample.raw() >= TELLING) {
            double rate = sample.raw() / (Math.max(1, sample.coding()) / 1e9);
            learn(rates, sample.level(), rate);
            learn(ratios, sample.level(), (double) sample.raw() / sample.wire());
        }
    }

    private static void learn(double[] known, int level, double value) {
        known[level] = known[level] == 0 ? value : 0.75 * known[level] + 0.25 * value;
    }

    private void line(Sample sample) {
        if (sample.held() == 0) {
            free += sample.wire();
            pending += sample.wire();
            return;
        }
        lineBytes += pending + sample.wire();
        lineNanos += sample.held();
        begin();
        free = 0;
        pending = 0;
        bound = 0;
        if (lineBytes > MEMORY || lineNanos > MEMORY_NANOS) {
            lineBytes /= 2;
            lineNanos /= 2;
        }
    }

    private void begin() {
        if (known || (lineBytes < FIRST_BYTES && lineNanos < FIRST_NANOS)) {
            return;
        }
        known = limited;
        if (!limited) {
            limited = true;
            lineBytes = 0;
            lineNanos = 0;
        }
    }

    /// The level of the next block.
    int next() {
        if (levels.isEmpty() || !known) {
            current = 0;
            return 0;
        }
        if (free >= (current == 0 ? UNLIMITED : CODEC_BOUND)) {
            unheld();
        }
        double line = line();
        int best = best(line);
        if (value(best, line) > GAIN * value(current, line)) {
            current = best;
        }
        if (current > 0) {
            plain = 0;
        } else if (line < Double.MAX_VALUE && ++plain % PAUSE == 0) {
            return likely(line);
        }
        return current;
    }

    /// The level that is usual now: the next block may try another.
    int current() {
        return current;
    }

    /// Why it is.
    String why() {
        double line = line();
        if (line == Double.MAX_VALUE) {
            return "nothing waits for the line";
        }
        var text = String.format(Locale.ROOT, "the line takes %.2f MB/s", line / 1e6);
        int best = Math.max(1, nearest(Math.max(1, current)));
        return ratios[best] == 0
                ? text
                : text
                        + String.format(
                                Locale.ROOT,
                                ", level %d makes %.2f MB/s and 1/%.2f",
                                levels.get(best - 1).number(),
                                rates[best] / 1e6,
                                ratios[best]);
    }

    /// Nothing waits: what is known of the line holds no more, or may not.
    private void unheld() {
        free = 0;
        pending = 0;
        if (current > 0 && ++bound < look) {
            return;
        }
        look = current > 0 ? Math.min(look * 2, LAST_LOOK) : FIRST_LOOK;
        current = 0;
        bound = 0;
        limited = false;
        known = false;
        lineBytes = 0;
        lineNanos = 0;
    }

    /// Bytes a second; [Double#MAX_VALUE]: nothing waits for it.
    double line() {
        return known ? lineBytes / (lineNanos / 1e9) : Double.MAX_VALUE;
    }

    private int best(double line) {
        int best = 0;
        for (int level = 1; level <= levels.size(); level++) {
            if (value(level, line) > value(best, line)) {
                best = level;
            }
        }
        return best;
    }

    /// What would be best of usual data, 0 where nothing would.
    private int likely(double line) {
        int best = 0;
        double most = GAIN * line;
        for (int level = 1; level <= levels.size(); level++) {
            var usual = levels.get(level - 1);
            double value = Math.min(rate(level), line * usual.ratio());
            if (value > most) {
                best = level;
                most = value;
            }
        }
        return best;
    }

    /// Bytes a second that get along at this level.
    private double value(int level, double line) {
        return level == 0 ? line : Math.min(rate(level), line * ratio(level));
    }

    private double rate(int level) {
        int known = nearest(level);
        double usual = levels.get(level - 1).rate();
        return known == 0 ? usual : rates[known] * usual / levels.get(known - 1).rate();
    }

    private double ratio(int level) {
        int known = nearest(level);
        double usual = levels.get(level - 1).ratio();
        return known == 0
                ? usual
                : Math.pow(
                        Math.max(1, ratios[known]),
                        Math.log(usual) / Math.log(levels.get(known - 1).ratio()));
    }

    /// The nearest level that something is known of, 0: none.
    private int nearest(int level) {
        int found = 0;
        for (int each = 1; each < rates.length; each++) {
            if (rates[each] > 0
                    && (found == 0 || Math.abs(each - level) < Math.abs(found - level))) {
                found = each;
            }
        }
        return found;
    }
}
