package org.ibidem.filter.parallel;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Chooses over how many strands to send, from what was seen and nothing else: the same samples
/// give the same choices. It takes more as long as that gains enough, and looks again now and then,
/// and when less gets through than did: the line may have changed.
final class Width {
    /// A line this short is filled by one.
    private static final long NEAR = TimeUnit.MILLISECONDS.toNanos(4);

    /// A connection takes its time to be made, so the first step is wide; then they double, as too
    /// many crowd each other out.
    private static final int[] STEPS = {1, 8, 16, 32};

    /// Each must bring so much more.
    private static final double GAIN = 1.15;

    /// What brings so much is no luck.
    private static final double MUCH = 2;

    /// Where so much is left of what fewer brought, these crowd each other out.
    private static final double CROWDED = 0.9;

    /// Of a line that loses much, whiles bring now this, now that.
    private static final double STEADY = 0.8;

    /// One while may be luck: a rate seen for so long is not.
    private static final long PROOF = TimeUnit.MILLISECONDS.toNanos(1500);

    /// Bytes that a connection can mostly have under way.
    private static final int SMALL_WINDOW = 64 << 10;

    /// From one look to the next: at first, and at last.
    private static final long FIRST_PAUSE = TimeUnit.SECONDS.toNanos(8);

    private static final long PAUSE = TimeUnit.SECONDS.toNanos(60);

    /// So little of the most that was brought is reason to look, too, where it lasts.
    private static final double LITTLE = 0.75;

    /// Fewer must bring so much of what more did; they take their time to be fast again.
    private static final double STILL = 0.8;

    private static final long LITTLE_FOR = TimeUnit.SECONDS.toNanos(2);

    private final Seen[] seen = new Seen[STEPS.length];
    private int step;
    private boolean settled;

    /// They have to find their speed first.
    private boolean fresh = true;

    /// Since it settled: the present seconds, the most that such brought, and how long that is ago.
    private Seen lately = new Seen();

    /// The last seconds of those that are over.
    private Seen recent = new Seen();

    private double most;
    private long since;
    private long pause = FIRST_PAUSE;
    private String why = "nothing is known yet";

    /// What so many brought when they were used last.
    private static final class Seen {
        double bytes;
        long time;
        double least = Double.MAX_VALUE;
        double most;
        private double resent;
        private long resentTime;

        void add(Sample sample) {
            least = Math.min(least, sample.rate());
            most = Math.max(most, sample.rate());
            bytes += sample.rate() * sample.took();
            time += sample.took();
            if (!Double.isNaN(sample.resent())) {
                resent += sample.resent() * sample.took();
                resentTime += sample.took();
            }
        }

        /// For people; empty where it is not known.
        String loss() {
            return resentTime == 0
                    ? ""
                    : String.format(
                            Locale.ROOT, " with %.2f %% sent again", 100 * resent / resentTime);
        }

        double rate() {
            return time == 0 ? 0 : bytes / time;
        }

        boolean isProof() {
            return time >= PROOF;
        }

        /// Whether each while brought about the same, as of a line that is full.
        boolean isSteady() {
            return least > STEADY * most;
        }
    }

    /// @param begin with so many, if more than one: they were best the last time
    Width(int begin) {
        Arrays.setAll(seen, _ -> new Seen());
        while (step < STEPS.length - 1 && STEPS[step] < begin) {
            step++;
        }
        settled = begin > 0;
    }

    /// What came of sending for a while, in which there was always something to send.
    ///
    /// @param rate bytes a second
    /// @param roundTrip the shortest known, in nanoseconds
    /// @param took nanoseconds that it lasted
    /// @param resent what share of the packets was sent again; NaN: not known. It is said, and no
    ///   choice depends on it: what loss does to the rate is seen
    record Sample(double rate, long roundTrip, long took, double resent) {
        Sample(double rate, long roundTrip, long took) {
            this(rate, roundTrip, took, Double.NaN);
        }
    }

    int current() {
        return STEPS[step];
    }

    /// Whether it is content with that.
    boolean isSettled() {
        return settled;
    }

    /// Whether there is no doubt that these are better than fewer.
    boolean isSure() {
        if (step == 0) {
            return settled && seen[0].isProof();
        }
        double before = seen[step - 1].rate();
        double now = seen[step].rate();
        return now > MUCH * before || (settled && seen[step].isProof() && now > GAIN * before);
    }

    /// Why there are so many.
    String why() {
        return why;
    }

    /// A while is over.
    ///
    /// @return over how many to send from now on
    int next(Sample sample) {
        if (sample.roundTrip() < NEAR) {
            step = 0;
            settle();
            seen[step].add(sample);
            why = "the peer is near";
        } else if (fresh) {
            fresh = false;
        } else {
            seen[step].add(sample);
            if (settled) {
                watch(sample);
            } else {
                climb(sample);
            }
        }
        return current();
    }

    /// More of them as long as that gains, at once; fewer only where there is no doubt: what is
    /// lost by some too many is little, and by too few much.
    private void climb(Sample sample) {
        if (step == 0 && isSmall(sample) && !seen[0].isProof()) {
            return; // it may be all there is, once it has found its speed
        }
        double before = step == 0 ? 0 : seen[step - 1].rate();
        double now = seen[step].rate();
        if (now > GAIN * before) {
            why = compared(step);
            if (step == STEPS.length - 1) {
                settle();
            } else {
                take(step + 1);
            }
        } else if (seen[step].isProof()) {
            why = compared(step);
            boolean full = seen[step - 1].isProof() && seen[step].isSteady();
            boolean fewer = full || now < CROWDED * before || isSmall(sample);
            step -= fewer ? 1 : 0;
            settle();
            most = STILL * now; // or what seemed to be enough was luck
        }
    }

    /// Whether what is under way fits a connection.
    private static boolean isSmall(Sample sample) {
        return sample.rate() * sample.roundTrip() / 1e9 < SMALL_WINDOW;
    }

    private void take(int next) {
        step = next;
        seen[next] = new Seen();
        settled = false;
        fresh = true;
    }

    private void settle() {
        settled = true;
        fresh = true;
        lately = new Seen();
        recent = new Seen();
        most = 0;
        since = 0;
    }

    /// Looks again after a pause, and when less gets through than did: the line may have changed,
    /// or they were faster at first, before they lost something.
    private void watch(Sample sample) {
        since += sample.took();
        lately.add(sample);
        boolean little = false;
        if (lately.time >= LITTLE_FOR) {
            most = Math.max(most, lately.rate());
            little = lately.rate() < LITTLE * most;
            recent = lately;
            lately = new Seen();
        }
        if (little || since >= pause) {
            pause = Math.min(PAUSE, 2 * pause);
            look();
        }
    }

    private void look() {
        seen[step] = recent.isProof() ? recent : seen[step];
        settle();
        if (step < STEPS.length - 1) {
            why = brought(step);
            take(step + 1);
        }
    }

    private String compared(int last) {
        return last == 0 ? brought(0) : brought(last - 1) + ", and " + brought(last);
    }

    private String brought(int which) {
        return String.format(
                Locale.ROOT,
                "%d brought %.2f MB/s%s",
                STEPS[which],
                seen[which].rate() / 1e6,
                seen[which].loss());
    }
}
