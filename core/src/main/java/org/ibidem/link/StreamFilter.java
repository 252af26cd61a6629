package org.ibidem.link;

/// A filter over byte streams.
public non-sealed interface StreamFilter extends Filter {
    /// Puts the filter over `lower`; both ends do.
    ByteStream over(ByteStream lower, Record options, Tasks tasks);
}
