package org.ibidem.registry.wire;

import java.util.List;
import org.ibidem.topology.NodeId;

/// What a member has the hub do for its pool: once, however often the connection is lost meanwhile.
/// Each is answered by an [Outcome].
public sealed interface Operation {
    /// Stands in an election. The first who stands wins; when the winner is gone, the next one
    /// does. Answered by [Outcome.Elected].
    ///
    /// @param election its name
    record Elect(String election) implements Operation {}

    /// Does not stand any more.
    ///
    /// @param election its name
    record Withdraw(String election) implements Operation {}

    /// Takes the next numbers of a sequence, which begins at 0. Answered by [Outcome.Value], the
    /// first of them.
    ///
    /// @param sequence its name
    /// @param count how many, 1 or more
    record Next(String sequence, int count) implements Operation {}

    /// Adds tokens. Answered by [Outcome.Value]: how many there are then.
    ///
    /// @param tokens their name
    /// @param count how many, 1 or more
    record Add(String tokens, long count) implements Operation {}

    /// Says how many tokens there are from now on. Answered by [Outcome.Value]: how many there
    /// were.
    ///
    /// @param tokens their name
    /// @param count how many, 0 or more
    record Set(String tokens, long count) implements Operation {}

    /// Takes one token. Answered by [Outcome.Taken].
    ///
    /// @param tokens their name
    /// @param waits whether to wait for one if there is none
    record Take(String tokens, boolean waits) implements Operation {}

    /// Asks how many tokens there are. Answered by [Outcome.Value].
    ///
    /// @param tokens their name
    record Count(String tokens) implements Operation {}

    /// Ends the waiting of an earlier operation; both are answered. Comes too late for one that has
    /// its outcome.
    ///
    /// @param call of the operation that waits
    record Cancel(long call) implements Operation {}

    /// Sends a signal. Answered by [Outcome.Value]: to how many members.
    ///
    /// @param signal what to say
    /// @param toAll whether it is for all members, the sender included
    /// @param to else whom; those who are no members are left out
    record Signal(String signal, boolean toAll, List<NodeId> to) implements Operation {
        /// Keeps its own copy.
        public Signal {
            to = List.copyOf(to);
        }
    }

    /// Holds a member for dead, whatever it does.
    ///
    /// @param id who
    /// @param why for people
    record AssumeDead(NodeId id, String why) implements Operation {}

    /// Takes nobody into the pool any more.
    ///
    /// @param why for people
    record Close(String why) implements Operation {}

    /// Closes the pool and asks all members to end.
    record Terminate() implements Operation {}
}
