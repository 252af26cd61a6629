/// What the members of a pool agree on through their hub: who leads ([Elections]), who is next
/// ([Sequences]), how much there is ([Tokens]), and short words to many ([Signals]).
///
/// Each call is one operation of the hub, done once even if the connection is lost and made again
/// meanwhile; it waits for a lost hub for as long as its time limit says. They cost a round trip to
/// the hub and, where it keeps its state, a write to its disk.
///
/// Got from [org.ibidem.registry.Node]; what happens is also told as
/// [org.ibidem.registry.PoolEvent]s.
package org.ibidem.registry.coordination;
