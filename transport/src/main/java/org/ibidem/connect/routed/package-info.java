/// Routed connections: frames through the hub, for pairs that nothing else connects, and for the
/// first words of pairs that will find something better.
///
/// Each node has one connection to its hub for them, its [Trunk], and speaks with the hub itself on
/// one stream of it, which is a [HubStream] there. A stream has credit: bytes its reader has room
/// for, so a slow reader stops its own stream and no other. The hub passes on no more credit than
/// it could keep the bytes of, so that it is bounded too. Streams take turns, and no more of them
/// is put on the trunk than its [Backlog] lets: a line may be slow, and the system's buffers large.
///
/// Format: `docs/wire/routed.md`. A stream looks like a connected socket to whoever uses it, but no
/// selector takes it: it is an [org.ibidem.wait.Waitable].
package org.ibidem.connect.routed;
