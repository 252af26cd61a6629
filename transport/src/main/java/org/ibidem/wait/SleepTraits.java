package org.ibidem.wait;

/// What a [Waitable] is like, for as long as it lives.
///
/// @param announces its channel becomes ready whenever there is something to do, armed or not: then
///   a waiter of several need not look at each of them, as who is not ready has nothing. Must be
///   false for a part that may have something by the mere passing of time
/// @param looksMore several looks can be had in one poll: then one that waits for nothing else asks
///   for them
/// @param stays it may stay armed over several sleeps, whoever looks at it meanwhile: once
///   [Waitable#arm] has said to sleep, all that comes makes its channel ready or rings its bell.
///   Not heard of is only what a look has brought in and left, as one that found something without
///   having gone on until it found nothing
public record SleepTraits(boolean announces, boolean looksMore, boolean stays) {
    /// None of it.
    public static final SleepTraits NONE = new SleepTraits(false, false, false);

    /// One that does not stay armed.
    public SleepTraits(boolean announces, boolean looksMore) {
        this(announces, looksMore, false);
    }

    /// The same, where time alone may bring something.
    public SleepTraits silent() {
        return new SleepTraits(false, looksMore);
    }

    /// The same, for a part that hands on one look at a time. Whether it stays armed it says
    /// itself.
    public SleepTraits looksOnce() {
        return new SleepTraits(announces, false);
    }

    /// The same, for a part that stays armed where the one `below` does.
    public SleepTraits staysWith(SleepTraits below) {
        return new SleepTraits(announces, looksMore, below.stays);
    }
}
