/// VLinks: asynchronous byte streams between two nodes, made while the program runs.
///
/// What programs of sockets stand on (the *VLink* of PadicoTM): five operations, read, write,
/// connect, accept and close, each of which is posted and completes later; its completion is looked
/// for, or calls a handler. A [VLink] goes over any stack that loses nothing: its bytes are put
/// into frames of two [channels][org.ibidem.channel.Channels], one each way, which mostly share one
/// data link. An address is a node and a name. Format: `docs/wire/vlink.md`.
///
/// All VLinks of a node share one thread, its [ReceiptLoop], which waits for all of them; whoever
/// reads or writes looks himself first. Nothing is queued: what is not read stays in the link, and
/// what finds no room there stays with the writer. Files are read and written in the same way
/// ([PostedFile]): a few threads wait for disks, and the loop tells.
///
/// Trap: handlers run in the loop; one that waits stops every VLink of its node.
@NullMarked
package org.ibidem.vlink;

import org.jspecify.annotations.NullMarked;
