/// Remote objects as in `java.rmi`, over [org.ibidem.port]: [Rmi] is one node's part. After Birrell
/// et al. ("Network Objects", SOSP 1993) and Maassen et al. ("Efficient Java RMI for parallel
/// programming", TOPLAS 2001).
///
/// - A caller has a [Peer] for each node it calls: a port for calls and one for replies, which one
///   of those who wait reads for all. At the other end [Serving] reads arguments and has each call
///   run by a virtual thread; [Callers] has the ports back.
/// - Objects are found by number ([Exports]), and by name ([Names]).
/// - What is said is in `docs/wire/rmi.md`, reasons in `docs/design/rmi.md`.
///
/// Traps: the thread that reads calls never writes, or two nodes could wait for each other; whoever
/// waits for a call within a call has given its place back.
package org.ibidem.rmi;
