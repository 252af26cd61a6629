package org.ibidem.service;

import java.util.Optional;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;

/// What peers have said lately of the networks they are in.
public interface Hearsay {
    /// What this one said, or none; asks nobody.
    Optional<Surroundings> lately(NodeId peer);

    /// Has it asked, for the next time; waits for nothing.
    void ask(NodeId peer);

    /// Where nobody says anything.
    Hearsay NONE =
            new Hearsay() {
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
