package org.ibidem.link;

/// What a [Sleepy] is like, for as long as it lives.
///
/// @param announces its channel becomes ready whenever there is something to do, armed or not: then
///   a waiter of several need not look at each of them, as who is not ready has nothing. Must be
///   false for a part that may have something by the mere passing of time
/// @param looksMore several looks can be had in one poll: then one that waits for nothing else asks
///   for them
public record SleepTraits(boolean announces, boolean looksMore) {
    /// Neither.
    public static final SleepTraits NONE = new SleepTraits(false, false);

    /// The same, where time alone may bring something.
    public SleepTraits silent() {
        return new SleepTraits(false, looksMore);
    }

    /// The same, for a part that hands on one look at a time.
    public SleepTraits looksOnce() {
        return new SleepTraits(announces, false);
    }
}
