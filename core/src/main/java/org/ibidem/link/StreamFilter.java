package org.ibidem.link;

/// A filter over byte streams.
public non-sealed interface StreamFilter extends Filter {
    /// Puts the filter over `below`; both ends do.
    ByteStream over(ByteStream below, Record options, Lower lower);
}
