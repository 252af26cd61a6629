package org.ibidem.link;

/// Whom a filter over several lowers tells that one of them is gone, while it goes on with the
/// others.
@FunctionalInterface
public interface Losses {
    /// The lower with this index, of those the filter was built over, is broken; the filter uses it
    /// no more. Called by the thread that uses the filter.
    void lost(int lower, LinkBroken why);
}
