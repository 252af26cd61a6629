package org.ibidem.link;

/// An ability of channels that no selector takes, because no socket of their own stands behind
/// them: they say themselves how to sleep until there is something to do.
public interface SleepyChannel {
    /// How to sleep until it can be read.
    Sleepy readable();

    /// How to sleep until it can be written to.
    Sleepy writable();
}
