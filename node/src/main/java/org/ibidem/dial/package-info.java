/// How a node gets a connection to a peer: which connect methods it tries, in which order, when the
/// next one starts, and what it has learned from the last time.
///
/// [Dialler] dials; [Policy] orders the methods, [DialSchedule] starts them, [Experience] keeps
/// what worked and how fast the line is; [Brokering] agrees with the peer, over a service link, on
/// connections that need both ends. A [org.ibidem.peer.Deliberation] tells what was tried and why
/// it failed.
package org.ibidem.dial;
