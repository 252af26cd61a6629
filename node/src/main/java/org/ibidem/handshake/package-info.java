/// The handshake that every connection begins with: each end proves its key, and both agree on what
/// the connection is for.
///
/// [Handshake] drives both ends over an [Exchange], which bounds bytes and time; [Vetting] decides
/// whom a node lets in and whether the connection is sealed ([Sealing], [SealedPath]); [Proved] is
/// the result. Each way of failing is an exception of its own, beginning at [HandshakeFailed].
/// Format: `docs/wire/handshake.md`.
///
/// Everything here can be reached by a peer that has proved nothing. Nothing a peer says counts
/// before its key is proved; garbage ends that one connection, with a logged reason.
package org.ibidem.handshake;
