package org.ibidem.registry;

/// What happened in a node's pool, or between the node and its hub. All members see [Change]s in
/// the same order; [Membership] says which of them a node is told.
public sealed interface PoolEvent {
    /// A change of the pool itself, decided and numbered by the hub.
    sealed interface Change extends PoolEvent {}

    /// A node became a member.
    ///
    /// @param member the new one
    record Joined(Member member) implements Change {}

    /// A member left on purpose. Final: it may join again only as a new member.
    ///
    /// @param member who left
    record Left(Member member) implements Change {}

    /// A member died. Final: should it come back, it is told so.
    ///
    /// @param member who died
    /// @param why the proof, or that it was silent for too long
    record Died(Member member, String why) implements Change {}

    /// The hub lost contact with a member, without proof of death: connections to it are kept.
    ///
    /// @param member who is not heard of
    /// @param why how contact was lost
    record Suspected(Member member, String why) implements Change {}

    /// A suspected member is back.
    ///
    /// @param member who came back
    record Restored(Member member) implements Change {}

    /// Nobody may join the pool any more: it has all its members, or was closed.
    ///
    /// @param why what closed it
    record Closed(String why) implements Change {}

    /// An election has a new winner.
    ///
    /// @param election its name
    /// @param winner the one and only
    /// @param term how many winners there were, this one included: a later winner has a higher term
    record Elected(String election, Member winner, long term) implements Change {}

    /// The winner of an election is gone, and nobody else stands.
    ///
    /// @param election its name
    /// @param term the winner's that is gone
    record Vacated(String election, long term) implements Change {}

    /// The pool was terminated: its members are asked to end. It is closed, too.
    ///
    /// @param by who asked for it
    record Terminated(Member by) implements Change {}

    /// A member sent this node a signal.
    ///
    /// @param from who sent it
    /// @param signal what it said
    record Signalled(Member from, String signal) implements Change {}

    /// This node lost its hub. Connections to peers go on; what needs the hub fails or waits until
    /// [HubBack].
    ///
    /// @param why how contact was lost
    record HubLost(String why) implements PoolEvent {}

    /// This node reached a hub again, and its view of the pool is up to date.
    record HubBack() implements PoolEvent {}

    /// The hub was started again without its state. Members that come back within half a minute
    /// keep id and rank, and elections their winners, as far as members remember them; sequence
    /// numbers begin anew, tokens are gone. A hub with a state folder never causes this.
    ///
    /// @param why for people
    record Restarted(String why) implements PoolEvent {}

    /// This node, or this subscriber, was away or too slow for so long that events were dropped.
    /// What changed meanwhile is told as a difference; signals may be lost.
    ///
    /// @param why for people
    record Missed(String why) implements PoolEvent {}
}
