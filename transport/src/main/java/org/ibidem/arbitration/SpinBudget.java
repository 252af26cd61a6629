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
///
/// Where the policy says so, a thread that has found nothing by spinning gives its core away again
/// and again before it sleeps. That pays where more processes wait for each other than there are
/// cores: each of them gives a core back within microseconds, and a sleep and a wake-up take longer
/// than that. It does not pay where others keep the core, or where what is waited for comes much
/// later; either shows, and then some waits sleep at once.
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

    /// A process that waits like this one gives the core back sooner.
    private static final long KEPT_CORE = 1_000_000;

    /// Waits in a row that yielded in vain: not by chance.
    private static final int IN_VAIN = 4;

    private final WaitPolicy policy;
    private final boolean pinned;
    private long nanos;
    private int crowded;
    private int rest = CROWDED;
    private int tooLong;
    private int misses;
    private int unyielding;
    private int nextUnyielding = CROWDED;
    private int inVain;

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
        return mayYield(0) ? policy.leastNanos() : nanos; // others that want the core run sooner
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
        if (unyielding > 0) {
            unyielding--;
        } else if (policy.yieldNanos() > 0 && ++inVain == IN_VAIN) {
            inVain = 0;
            unyielding = TRY_AFTER;
        }
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

    /// Gives the core away, if it has not been given away for too long.
    ///
    /// @param now in `System.nanoTime`
    /// @param waited since the wait began
    /// @return whether it was
    boolean givesCoreAway(long now, long waited) {
        boolean yields = mayYield(waited);
        if (yields) {
            Thread.yield();
            cameBack(System.nanoTime() - now);
        }
        return yields;
    }

    /// Whether the core may be given away after so long a wait.
    boolean mayYield(long waited) {
        return unyielding == 0 && waited < policy.yieldNanos();
    }

    /// The core that was given away has come back after so long.
    void cameBack(long nanos) {
        if (nanos > KEPT_CORE) {
            unyielding = nextUnyielding;
            nextUnyielding = Math.min(nextUnyielding << 1, MOST_CROWDED);
        }
    }

    /// What was waited for came while the core was given away.
    void yielded() {
        inVain = 0;
        if (unyielding == 0) {
            nextUnyielding = CROWDED;
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
