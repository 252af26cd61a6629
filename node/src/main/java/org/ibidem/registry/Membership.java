package org.ibidem.registry;

/// What a node wants to know of who else is in its pool. The more exact, the dearer: in a pool of
/// `n` members a join costs the hub as many messages as there are members who want to hear of it.
public enum Membership {
    /// Nobody but those it deals with: the node hears that a member is gone only of members it has
    /// asked the hub about, and [Node#members()] is not there. Elections, signals, and what happens
    /// to the pool as a whole are told all the same. A node costs its pool nothing.
    NONE,

    /// All members, in the end: changes come merged and, in a large pool, a little later, so that
    /// one who came and went in between is never heard of, nor is a suspicion that was over at
    /// once. Deaths and what else is urgent are told at once.
    EVENTUAL,

    /// Every change, one by one, in the one order in which all who ask for it get them.
    ORDERED
}
