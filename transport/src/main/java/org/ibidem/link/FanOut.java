package org.ibidem.link;

import java.util.List;

/// A filter that writes every frame into several lowers: the top of the sending side of a port that
/// may have several receivers.
///
/// It may stand at the top of a stack only, and is left out while there is one lower. It is built
/// anew when the set of lowers changes, which is between two messages.
public non-sealed interface FanOut extends Filter {
    /// One sink over `lowers`, which stay the caller's to push, end and close.
    ///
    /// A lower that breaks is told to `losses` and left out from then on, even in the middle of a
    /// message; only when none is left does the sink itself throw [LinkBroken].
    ///
    /// @param lowers two or more
    /// @param options an instance of [#options]
    FrameSink over(List<? extends FrameSink> lowers, Record options, Losses losses);
}
