package org.ibidem.filter.compress;

/// What was seen of one block.
///
/// @param level what made it smaller: 0 nothing, else one of [Levels], from 1
/// @param raw bytes it had
/// @param wire bytes it has below
/// @param coding nanoseconds that the codec took
/// @param held nanoseconds that it waited for the line; 0: that took it at once
record Sample(int level, int raw, int wire, long coding, long held) {}
