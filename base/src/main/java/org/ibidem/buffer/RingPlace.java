package org.ibidem.buffer;

/// Where the data of a ring lies, for as long as it lies there.
///
/// @param data where they begin in the memory, a multiple of 4096
/// @param size bytes, a power of two
public record RingPlace(long data, long size) {}
