package org.ibidem.apps.life;

import java.util.List;

/// What processes write to each other. Each belongs to one attempt at an era; attempts are numbered
/// upwards, so what belongs to an older one is recognized and left alone.
sealed interface Letter {
    /// The attempt: the coordinator's term in the upper half, its count in the lower one.
    long attempt();

    /// The coordinator wants to know what a member holds; work on older attempts ends.
    record Ask(long attempt) implements Letter {}

    /// A member says what it holds.
    ///
    /// @param leaving it wants to leave
    /// @param held what it has, besides generation 0, which anybody can make
    record Hold(long attempt, boolean leaving, List<Strip.Held> held) implements Letter {
        /// Keeps its own copy.
        public Hold {
            held = List.copyOf(held);
        }
    }

    /// The coordinator says who does what.
    record Work(long attempt, Plan plan) implements Letter {}

    /// Rows for the block of the one who gets them.
    record Rows(long attempt, Strip strip) implements Letter {}

    /// Rows to be kept for the one who sends them.
    record Copy(long attempt, Strip strip) implements Letter {}

    /// A row next to the block of the one who gets it.
    record Edge(long attempt, Strip strip) implements Letter {}

    /// A member's block is computed.
    ///
    /// @param population how many of its cells live
    record Done(long attempt, long population) implements Letter {}

    /// Something may have been lost: plan anew.
    record Trouble(long attempt) implements Letter {}

    /// Who wanted to leave may go.
    record Release(long attempt) implements Letter {}
}
