package org.ibidem.wait;

/// What a [Waitable] answers to who wants to sleep on it.
public enum Armed {
    /// Do not sleep, look: there is something already.
    READY,

    /// Sleep: whatever comes from now on wakes you.
    SLEEP,

    /// The other side may miss it by a moment. Sleep for a millisecond at most, arm again, and only
    /// then sleep for long.
    SLEEP_THEN_LOOK;

    /// Where all there is to know is whether there is something.
    public static Armed quiet(boolean yes) {
        return yes ? SLEEP : READY;
    }

    /// Of two at once.
    public Armed and(Armed other) {
        return this == READY || other == READY ? READY : this == SLEEP_THEN_LOOK ? this : other;
    }
}
