/// A crowd: thousands of nodes in few processes, with real sockets, in one pool of one hub.
/// `./bench registry` lets it gather and disperse, and measures how fast, how late its members hear
/// of things, and what that costs.
///
/// [Crowd] commands; [HubWorker] and [MembersWorker] are what it starts, [Worker] is how it talks
/// to them. Contestants are ways of joining ([Way]); they take turns, in one run, in the same
/// processes.
@NullMarked
package org.ibidem.lab.bench.crowd;

import org.jspecify.annotations.NullMarked;
