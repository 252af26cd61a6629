package org.ibidem.link.shm;

import org.ibidem.buffer.Ring;

/// The options of the `shm` driver.
///
/// @param ring bytes of the ring towards the end that is asked, when the link begins; a power of
///   two. The ring the other way begins with a quarter
/// @param largest bytes up to which a ring grows that stays full, a power of two; at least `ring`
public record Shm(int ring, int largest) {
    private static final int FIRST = 64 << 10;
    private static final int LARGEST = 2 << 20;
    private static final int MOST = 1 << 30;

    /// The defaults: rings of 64 KiB that grow to 2 MiB.
    public Shm() {
        this(FIRST, LARGEST);
    }

    /// Checks the sizes; a ring that begins above the largest size never grows.
    public Shm {
        largest = Math.max(ring, largest);
        check("ring", ring);
        check("largest", largest);
    }

    /// What another end says its options are.
    ///
    /// @throws IllegalArgumentException when they cannot be
    static Shm offered(int ring, int largest) {
        var options = new Shm(ring, largest);
        if (options.largest() != largest) {
            throw new IllegalArgumentException(
                    "the largest ring has " + largest + " bytes and the first " + ring);
        }
        return options;
    }

    private static void check(String name, int size) {
        if (Integer.bitCount(size) != 1 || size < Ring.SMALLEST || size > MOST) {
            throw new IllegalArgumentException(
                    name + " is a power of two from 4k to 1G, not " + size);
        }
    }
}
