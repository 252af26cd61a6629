/// What the members of a pool agree on through their hub: who leads ([Elections]), who is next
/// ([Sequences]), how much there is ([Tokens]), and short words to many ([Signals]).
///
/// Each call is one operation of the hub, done once even if the connection is lost and made again
/// meanwhile; it waits for a lost hub for as long as its time limit says. They cost a round trip to
/// the hub and, where it keeps its state, a write to its disk.
///
/// A call is given up when its time limit is over, or its thread is interrupted. The hub may do
/// what it asked for all the same, once, also much later; then
/// - an elect is undone: this node stands by another call, or does not stand;
/// - a token taken is given back, and one that waits waits no more;
/// - numbers taken from a sequence are left out;
/// - all else is done: a withdraw, tokens added or set, a signal, and what
///   [org.ibidem.registry.Node] has done to the pool.
///
/// What is undone is asked for again until the hub does it, or this node is closed.
///
/// Got from [org.ibidem.registry.Node]; what happens is also told as
/// [org.ibidem.registry.PoolEvent]s.
package org.ibidem.registry.coordination;
