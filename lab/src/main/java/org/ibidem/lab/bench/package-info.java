/// What a benchmark here is made of, for people who add one or add a peer.
///
/// - [Benchmark]: what is measured ([Measure]), who is measured ([Contestant]), what is hoped for
///   (the aims).
/// - A [Contestant] opens one [Player] in each of two processes. The simplest player is a [Loop]
///   over an [End], which only sends and receives: one small file in `bench.peers`. Who is driven
///   by events brings a player of its own.
/// - [Payload]: what messages carry. The sender rewrites it before every message and the receiver
///   sums it up, for all contestants alike.
/// - `bench.duel` makes the two processes and lets all contestants alternate; `bench.figures` turns
///   samples into tables, JSON, verdicts and pictures.
///
/// Traps: an end is used by one thread; a burst must not allocate for its own book-keeping, because
/// allocation is measured; nothing may run in the background between bursts, because it would slow
/// the others down.
@NullMarked
package org.ibidem.lab.bench;

import org.jspecify.annotations.NullMarked;
