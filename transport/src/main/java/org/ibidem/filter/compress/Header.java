package org.ibidem.filter.compress;

/// What stands in front of each block, little-endian.
///
/// ```
///  0            3          4                8
///  | bytes u24  | codec u8 | grown u32      |   codec 0: no third field, the bytes are as they were
/// ```
final class Header {
    /// Of bytes that are as they were.
    static final int PLAIN = 4;

    /// Of bytes that a codec made.
    static final int CODED = 8;

    static final int LENGTH_MASK = 0xFF_FFFF;
    static final int CODEC_SHIFT = 24;

    /// Bytes of a block before it is made smaller, and after it has grown again.
    static final int BLOCK = 128 << 10;

    private Header() {}
}
