package org.ibidem.filter.parallel;

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

    /// Each must bring so much.
    private static final double GAIN = 1.15;

    /// What brings so much is no luck.
    private static final double MUCH = 2;

    /// One while may be luck: so long it is looked whether the choice was right.
    private static final long PROOF = TimeUnit.MILLISECONDS.toNanos(1500);

    /// From one look to the next.
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(60);

    /// So little of what was brought for so long is reason to look, too.
    private static final double LITTLE = 0.6;

    private static final long LITTLE_FOR = TimeUnit.SECONDS.toNanos(2);

    /// What each brought; 0: not known.
    private final double[] brought = new double[STEPS.length];

    private int step;
    private boolean settled;
    private boolean proved;

    /// They have to find their speed first.
    private boolean fresh = true;

    /// Since it settled.
    private double bytes;

    private long time;

    /// Of that, the last in which little was brought.
    private long low;

    private String why = "nothing is known yet";

    /// @param begin with so many, if more than one: they were best the last time
    Width(int begin) {
        while (step < STEPS.length - 1 && STEPS[step] < begin) {
            step++;
        }
        settled = begin > 1;
        proved = settled;
    }

    /// What came of sending for a while, in which there was always something to send.
    ///
    /// @param rate bytes a second
    /// @param roundTrip the shortest seen, in nanoseconds
    /// @param took nanoseconds that it lasted
    record Sample(double rate, long roundTrip, long took) {}

    int current() {
        return STEPS[step];
    }

    /// Whether it is content with that.
    boolean isSettled() {
        return settled;
    }

    /// Whether there is no doubt that these are better than fewer.
    boolean isSure() {
        return proved || (step > 0 && brought[step] > MUCH * brought[step - 1]);
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
            proved = true;
            why = "the peer is near";
        } else if (fresh) {
            fresh = false;
        } else if (settled) {
            watch(sample);
        } else {
            brought[step] = sample.rate();
            climb();
        }
        return current();
    }

    private void climb() {
        why = compared(step);
        if (step > 0 && brought[step] <= GAIN * brought[step - 1]) {
            step--;
            settle();
        } else if (step == STEPS.length - 1) {
            settle();
        } else {
            step++;
            brought[step] = 0;
            settled = false;
            proved = false;
            fresh = true;
        }
    }

    private void settle() {
        settled = true;
        proved = false;
        fresh = true;
        bytes = 0;
        time = 0;
        low = 0;
    }

    private void watch(Sample sample) {
        bytes += sample.rate() * sample.took();
        time += sample.took();
        double usual = bytes / time;
        low = sample.rate() < LITTLE * usual ? low + sample.took() : 0;
        if (!proved && time >= PROOF) {
            brought[step] = usual;
            if (step > 0 && usual <= GAIN * brought[step - 1]) {
                why = compared(step);
                step--;
                settle();
            } else if (step < STEPS.length - 1 && brought[step + 1] > GAIN * usual) {
                why = compared(step + 1); // these were at their fastest when they were compared
                step++;
                settle();
            } else {
                proved = true;
            }
        } else if (time >= PAUSE || low >= LITTLE_FOR) {
            brought[step] = sample.rate();
            look();
        }
    }

    /// The line may have changed.
    private void look() {
        settle();
        if (step == STEPS.length - 1) {
            proved = true; // there is nothing to try
            return;
        }
        why = brought(step);
        step++;
        settled = false;
    }

    private String compared(int last) {
        return last == 0 ? brought(0) : brought(last - 1) + ", and " + brought(last);
    }

    private String brought(int which) {
        return String.format(
                Locale.ROOT, "%d brought %.2f MB/s", STEPS[which], brought[which] / 1e6);
    }
}
