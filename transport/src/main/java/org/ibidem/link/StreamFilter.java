package org.ibidem.link;

import java.io.IOException;

/// A filter over byte streams.
public non-sealed interface StreamFilter extends Filter {
    /// Puts the filter over `below`; both ends do, at the same time. May block for a bounded time,
    /// as to agree on something with the other end over `below`, of which it then reads no byte
    /// more than its own part.
    ///
    /// @throws IOException when it cannot be put there; `below` is then closed by who called
    ByteStream over(ByteStream below, Record options, Lower lower) throws IOException;
}
