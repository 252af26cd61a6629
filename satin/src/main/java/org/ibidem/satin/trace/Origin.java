package org.ibidem.satin.trace;

import org.ibidem.topology.NodeId;

/// A process that keeps a trace.
///
/// @param rank its number in the pool
/// @param id who it is
/// @param site the widest level of where it is
public record Origin(int rank, NodeId id, String site) {}
