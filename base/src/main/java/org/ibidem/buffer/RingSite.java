package org.ibidem.buffer;

import java.lang.foreign.MemorySegment;

/// Where a ring lies that its reader was told of.
///
/// @param memory that both ends see
/// @param plan where in it, with the control of this reader
public record RingSite(MemorySegment memory, RingPlan plan) {}
