package org.ibidem.link;

import java.time.Duration;
import org.ibidem.topology.Contact;

/// What a node knows of the lines to its peers.
@FunctionalInterface
public interface Lines {
    /// Nothing is known of any.
    Lines NONE = (_, _) -> Line.UNKNOWN;

    /// The line to a peer. Where its round trip is not known yet, the peer is asked.
    ///
    /// @param limit of that
    /// @throws org.ibidem.IbidemException when the peer cannot be reached at all
    Line to(Contact peer, Duration limit);
}
