/// The usual cases in a line: a small layer over [org.ibidem.port], for programs whose messages are
/// objects. Everything here is made of ports, which a program may as well use itself.
///
/// - A [Subject] is a name and a kind of object that both ends know: [Sender] and [Receiver],
///   [Publisher] for those who come and go and may be slow, [PoolPort] to and from all of a pool.
/// - A [Procedure] is a name, a kind of question and a kind of answer: [Server] and [Caller], after
///   Birrell and Nelson ("Implementing remote procedure calls", TOCS 1984). Who waits for an answer
///   reads for all who wait: leader and followers (Schmidt et al., PLoP 2000).
/// - An answer, and what is published, goes to the port that has the name of the one the question
///   came from, at the same node ([Backs]): nobody writes addresses.
///
/// One object is one message with that object in it, as [org.ibidem.port.WriteMessage#writeObject]
/// writes it; what questions, answers and credits look like stands in `docs/wire/messaging.md`.
///
/// Traps: nothing here may keep more than it has a number for; a thread that writes to somebody who
/// may be stopped has a time limit.
package org.ibidem.messaging;
