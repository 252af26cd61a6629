/// A node's connection to its hub, and what the node knows through it: [Uplink] attaches and stays
/// attached, [View] is what is known of the pool. Not exported; [org.ibidem.registry.Node] is what
/// programs see.
///
/// One task reads what the hub says. Everything is under one lock, and all who wait do so on its
/// one condition. Nothing here waits for a consumer of events: each has a bounded inbox of its own.
///
/// Traps: what the hub answers to an operation comes before the news of it; an operation without an
/// answer is sent again, under its old number, on every new connection.
package org.ibidem.registry.uplink;
