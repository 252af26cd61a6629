/// Control links: bounded small messages between two nodes, or between a node and its hub, with
/// requests and answers over them.
///
/// [ControlLink] carries messages and says in which [Ending] it ended; [ServiceLink] adds requests
/// and answers; [Peers] keeps one service link to each peer and makes it when it is needed; a
/// request that fails is a [ServiceFailed]. Format: `docs/wire/control.md`.
///
/// A peer that does not read meets back-pressure: what waits for it is bounded in messages and
/// bytes.
package org.ibidem.control;
