package org.ibidem.link;

import java.io.IOException;

/// A filter over frames.
///
/// A filter that only adds a header lets the lower sink's memory through: its `claim` asks below
/// for `atLeast` plus its header and moves `position` past it, its `commit` writes the header at
/// `start + headerOffset`. So the headers of all filters lie in one reservation in front of the
/// payload. A filter that transforms owns one buffer per direction.
public non-sealed interface FrameFilter extends Filter {
    /// Bytes of header in front of every frame's payload; fixed for given options.
    int header(Record options);

    /// Puts the filter over `below`; both ends do, at the same time. May block for a bounded time.
    ///
    /// @param headerOffset where this filter's header begins, from `Frame.start`: given by the
    ///   stack builder, so that two filters cannot claim the same place
    /// @throws IOException when it cannot be put there; `below` is then closed by who called
    FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower)
            throws IOException;
}
