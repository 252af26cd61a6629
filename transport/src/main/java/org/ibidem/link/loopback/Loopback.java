package org.ibidem.link.loopback;

import org.ibidem.buffer.Ring;

/// The options of the `loopback` driver.
///
/// @param ring bytes of the ring of each direction, a power of two
public record Loopback(int ring) {
    private static final int DEFAULT = 512 << 10;
    private static final int LARGEST = 1 << 30;

    /// The defaults: rings of 512 KiB.
    public Loopback() {
        this(DEFAULT);
    }

    /// Checks the size.
    public Loopback {
        if (Integer.bitCount(ring) != 1 || ring < Ring.SMALLEST || ring > LARGEST) {
            throw new IllegalArgumentException("ring is a power of two from 4k to 1G, not " + ring);
        }
    }
}
