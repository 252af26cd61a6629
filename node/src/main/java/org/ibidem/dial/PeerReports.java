package org.ibidem.dial;

import java.util.Optional;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;

/// What peers have said lately of the networks they are in.
public interface PeerReports {
    /// What this one said, or none; asks nobody.
    Optional<Surroundings> lately(NodeId peer);

    /// Has it asked, for the next time; waits for nothing.
    void ask(NodeId peer);

    /// Where nobody says anything.
    PeerReports NONE =
            new PeerReports() {
                @Override
                public Optional<Surroundings> lately(NodeId peer) {
                    return Optional.empty();
                }

                @Override
                public void ask(NodeId peer) {
                    // there is nobody to ask
                }
            };
}
