package org.ibidem.serial.wire;

/// Bounds on one object graph that comes from a peer.
///
/// @param depth references inside references
/// @param references objects and references in all
/// @param array elements of one array
/// @param memory bytes of all arrays and tables together, as announced: they are allocated before
///   their content has come
/// @param bytes of the serialized form
/// @param work steps of hashing: an object inside an object inside a key is hashed with it, so few
///   bytes can mean endless work
public record Limits(long depth, long references, long array, long memory, long bytes, long work) {
    private static final int SHARE_OF_HEAP = 4;

    /// Graphs of up to 10 million objects, and a quarter of the heap for arrays.
    public static final Limits DEFAULT =
            new Limits(
                    10_000_000,
                    10_000_000,
                    100_000_000,
                    Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP,
                    1L << 32,
                    100_000_000);
}
