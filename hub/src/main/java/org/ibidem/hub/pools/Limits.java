package org.ibidem.hub.pools;

/// How much [Pools] hold, and when a member without contact is dead.
///
/// @param suspicion nanoseconds that a member without contact is waited for
/// @param pools at most
/// @param members at most, of all pools together
/// @param changes of each pool that are kept for those who missed some
public record Limits(long suspicion, int pools, int members, int changes) {}
