/// The hub as a relay: carries routed streams between nodes that cannot reach each other. Format:
/// `docs/wire/routed.md`.
///
/// Each node has one connection to it, here its [Spoke]. A few threads read from all of them; what
/// came is written on at once, out of the buffer it was read into, where the other spoke takes it,
/// and else waits in a queue of its stream, one of which after the other is served. So streams are
/// fair to each other, and a spoke that takes nothing stops nobody else.
///
/// One stream of each leads to the hub itself ([Talk]): there a node joins, and it is carried what
/// it wants from its welcome on. Its end is the end of the connection, and the other way round.
///
/// What may wait is bounded by what the hub lets be sent: it passes credit on only as far as it
/// could keep the bytes itself ([Limits]).
@NullMarked
package org.ibidem.hub.relay;

import org.jspecify.annotations.NullMarked;
