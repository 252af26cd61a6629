package org.ibidem.apps.exchange;

import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/// The blocks of all processes and rounds: anybody can make any.
///
/// @param largest bytes that one may have
record Blocks(int largest) {
    private static final long FIRST_PRIME = 0x9E3779B97F4A7C15L;
    private static final long SECOND_PRIME = 0xC2B2AE3D27D4EB4FL;
    private static final int ONE_EMPTY_IN = 16;

    /// Whose block it is.
    ///
    /// @param round of the exchange
    /// @param from the rank that sends it
    /// @param to the rank that it is for
    record Address(int round, int from, int to) {}

    /// A block of random size and content; now and then it is empty.
    byte[] block(Address address) {
        long pair = (long) address.from() << Integer.SIZE | address.to();
        var random = new SplittableRandom(pair * FIRST_PRIME + address.round() * SECOND_PRIME);
        var block = new byte[random.nextInt(ONE_EMPTY_IN) == 0 ? 0 : random.nextInt(largest + 1)];
        random.nextBytes(block);
        return block;
    }

    /// CRC-32C (RFC 3720).
    static long checksum(byte[] block) {
        var sum = new CRC32C();
        sum.update(block);
        return sum.getValue();
    }
}
