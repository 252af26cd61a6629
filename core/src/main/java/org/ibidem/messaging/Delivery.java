package org.ibidem.messaging;

import org.ibidem.topology.NodeId;

/// How it stands with one subscriber.
///
/// @param to whose it is
/// @param sent objects that were sent to it
/// @param dropped objects that it did not get since it did not keep up: dropped, or replaced by
///   later ones
/// @param waiting objects that wait for it
public record Delivery(NodeId to, long sent, long dropped, int waiting) {}
