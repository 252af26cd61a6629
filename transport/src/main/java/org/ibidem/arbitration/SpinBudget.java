package org.ibidem.arbitration;

/// How long the next spin may last: follows the policy, and what spinning brought lately.
///
/// Used by the waiting thread alone. It learns from the gaps between messages: where one came
/// within the policy's longest spin, it doubles until it catches the next one; where none did, it
/// halves. Two that wait for each other, both asleep, wait for two wake-ups and never see how fast
/// the other would be: so now and then one tries the longest spin.
///
/// A spin in which the thread lost its core shows that somebody else wants it. Messages that are
/// there as soon as it sleeps, and never while it spins, show that whoever sends them runs on its
/// core; where it is pinned to that, this does not change by itself. Then the budget is 0 for a
/// while.
final class SpinBudget {
    /// What a wake-up takes: so much earlier the message was there.
    private static final long WAKING = 25_000;

    /// No two looks at the clock in a spin are so far apart, unless the thread lost its core.
    private static final long LOST_CORE = 200_000;

    /// Waits without a spin after that, before the next try; doubled each time it was in vain.
    private static final int CROWDED = 64;

    private static final int MOST_CROWDED = CROWDED << 6;

    /// Waits in a row that were too long for any spin, before one is spun for as long as allowed.
    private static final int TRY_AFTER = 32;

    /// The longest spins in a row that missed by little: not by chance any more.
    private static final int MISSES = 8;

    private final WaitPolicy policy;
    private final boolean pinned;
    private long nanos;
    private int crowded;
    private int rest = CROWDED;
    private int tooLong;
    private int misses;

    SpinBudget(WaitPolicy policy, Cores cores) {
        this.policy = policy;
        this.pinned = cores == Cores.PINNED;
        this.nanos = policy.spinNanos();
        if (policy.adapts() && cores == Cores.ONE) {
            crowded = Integer.MAX_VALUE; // whoever we wait for cannot run meanwhile
            nanos = 0;
        }
    }

    long nanos() {
        return nanos;
    }

    WaitPolicy policy() {
        return policy;
    }

    /// Two looks at the clock of one spin were so far apart.
    void ticked(long gap) {
        if (gap > LOST_CORE && policy.adapts()) {
            giveWay(CROWDED);
        }
    }

    private void giveWay(int waits) {
        crowded = waits;
        nanos = 0;
        misses = 0;
    }

    /// A spin found what it waited for.
    ///
    /// @param gap since the last look at the clock: after a long one the thread had lost its core,
    ///   perhaps to the sender
    void spun(long gap) {
        if (!policy.adapts()) {
            return;
        }
        if (gap > WAKING) {
            missed();
        } else {
            rest = CROWDED;
            misses = 0;
            more();
        }
    }

    /// It slept until there was something.
    ///
    /// @param waited since the wait began
    void slept(long waited) {
        if (!policy.adapts()) {
            return;
        }
        if (crowded > 0) {
            if (crowded != Integer.MAX_VALUE && --crowded == 0) {
                nanos = Math.max(1, policy.leastNanos());
            }
        } else if (waited - WAKING <= policy.spinNanos()) {
            missed();
        } else if (++tooLong % TRY_AFTER == 0) {
            nanos = policy.spinNanos();
        } else {
            nanos = Math.max(policy.leastNanos(), tooLong > TRY_AFTER ? 0 : nanos / 2);
        }
    }

    private void missed() {
        if (pinned && nanos == policy.spinNanos() && ++misses == MISSES) {
            giveWay(rest);
            rest = Math.min(rest << 1, MOST_CROWDED);
        } else {
            more();
        }
    }

    private void more() {
        tooLong = 0;
        long most = policy.spinNanos();
        nanos = nanos > most / 2 ? most : 2 * Math.max(1, nanos);
    }
}
