/// Who is there, proved: identities, the handshake every connection begins with, the listener that
/// answers it, and control links for small messages between nodes and hubs.
///
/// [Handshake] proves both keys and what the connection is for; [Listener] accepts, has everybody
/// proved within a bounded time and room, and hands the connection to whoever serves that
/// [Purpose]; [ControlLink] carries bounded messages and tells in which [Ending] it ended. Formats:
/// `docs/wire/handshake.md`, `docs/wire/control.md`.
///
/// Traps: nothing a peer says counts before its key is proved; garbage ends that connection, with a
/// logged reason, and nothing else.
package org.ibidem.service;
