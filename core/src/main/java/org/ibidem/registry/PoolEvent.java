package org.ibidem.registry;

/// What happened in a node's pool, or between the node and its hub. All members see the same
/// [Change]s in the same order.
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

    /// Nobody may join the pool any more.
    ///
    /// @param why what closed it
    record Closed(String why) implements Change {}

    /// This node lost its hub. Connections to peers go on; what needs the hub fails or waits until
    /// [HubBack].
    ///
    /// @param why how contact was lost
    record HubLost(String why) implements PoolEvent {}

    /// This node reached a hub again, and its view of the pool is up to date.
    record HubBack() implements PoolEvent {}
}
