package org.ibidem.lab.nemesis;

/// What the nemesis does.
enum Fault {
    /// The hub is killed, and started again.
    KILLED,

    /// The same, and killed again while its members return.
    KILLED_TWICE,

    /// Killed while it wrote: the last unit of its journal is half there.
    TORN,

    /// A bit of its journal is another one; put right when the hub has refused to start.
    FLIPPED,

    /// The hub stands still.
    STOPPED,

    /// The same for longer than the time of suspicion, while members are cut off.
    STOPPED_AND_CUT,

    /// Its disk is full.
    FULL,

    /// The same for longer than the time of suspicion, while members are cut off.
    FULL_AND_CUT,

    /// Its disk is full again and again.
    FLAPPING,

    /// Its clock is set.
    CLOCK,

    /// Connections are reset.
    RESET,

    /// Connections end as if a forwarder had ended.
    ENDED,

    /// Nothing arrives for a while; then all does.
    SILENT,

    /// What the hub says gets lost until connections are reset.
    DEAF,

    /// A process with nodes stands still.
    NODES_STOPPED,

    /// The same for so long that they count as dead, and learn that.
    NODES_DEAD,

    /// It is killed, and another one begun.
    NODES_KILLED,

    /// What the hub has written last is cut off: what it had answered is lost. The last one, as
    /// promises are others from then on.
    LOST
}
