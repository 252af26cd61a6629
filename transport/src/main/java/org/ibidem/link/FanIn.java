package org.ibidem.link;

import java.util.List;

/// A filter that reads messages from several lowers: the top of the receiving side of a port that
/// may have several senders.
///
/// It may stand at the top of a stack only, and is left out while there is one lower. It is built
/// anew when the set of lowers changes, which is between two messages.
public non-sealed interface FanIn extends Filter {
    /// One source over `lowers`, which stay the caller's to close.
    ///
    /// After a frame with the flag `MORE` it stays with that lower until the message's last frame;
    /// what breaks in between is thrown. A lower that breaks between messages is told to `losses`
    /// and left out from then on.
    ///
    /// @param lowers two or more
    /// @param options an instance of [#options]
    Source over(List<? extends FrameSource> lowers, Record options, Losses losses);

    /// Lends the frames of several lowers, and says whose.
    interface Source extends FrameSource {
        /// The index of the lower that lent last, or that broke in the middle of its message; the
        /// first before there was any.
        int lender();
    }
}
