package org.ibidem.arbitration;

/// How long the next spin may last: follows the policy, and what spinning brought lately.
///
/// Used by the waiting thread alone. It learns from the gaps between messages: where one came
/// within the policy's longest spin, it doubles until it catches the next one; where none did, it
/// halves. A spin in which the thread lost its core shows that somebody else wants it: then the
/// budget is 0 for a while.
final class SpinBudget {
    /// What a wake-up takes: so much earlier the message was there.
    private static final long WAKING = 25_000;

    /// No two looks at the clock in a spin are so far apart, unless the thread lost its core.
    private static final long LOST_CORE = 200_000;

    /// Waits without a spin after that, before the next try.
    private static final int CROWDED = 64;

    private final WaitPolicy policy;
    private long nanos;
    private int crowded;

    SpinBudget(WaitPolicy policy, int cores) {
        this.policy = policy;
        this.nanos = policy.spinNanos();
        if (policy.adapts() && cores == 1) {
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
            crowded = CROWDED;
            nanos = 0;
        }
    }

    /// A spin found what it waited for.
    void spun() {
        if (policy.adapts()) {
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
            more();
        } else {
            nanos = Math.max(policy.leastNanos(), nanos / 2);
        }
    }

    private void more() {
        long most = policy.spinNanos();
        nanos = nanos > most / 2 ? most : 2 * Math.max(1, nanos);
    }
}
