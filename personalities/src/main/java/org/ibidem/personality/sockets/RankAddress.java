package org.ibidem.personality.sockets;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/// The address by which programs of one machine know a node of the pool. It is one of the
/// loopback's, so that each is there without anybody's right to make one, and no packet to it
/// leaves the machine: rank 3 is `127.80.0.3`.
public final class RankAddress {
    private static final int FIRST = 127;
    private static final int SECOND = 80;
    private static final int MOST = 0x1_0000;

    private RankAddress() {}

    /// The address of a rank.
    ///
    /// @return null: it has none, being too large
    public static @Nullable InetAddress of(int rank) {
        if (rank < 0 || rank >= MOST) {
            return null;
        }
        try {
            return InetAddress.getByAddress(
                    new byte[] {FIRST, SECOND, (byte) (rank >> 8), (byte) rank});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The rank that an address stands for, or -1.
    public static int rank(InetAddress address) {
        var bytes = address.getAddress();
        boolean one = bytes.length == 4 && bytes[0] == FIRST && bytes[1] == SECOND;
        return one ? (bytes[2] & 0xFF) << 8 | (bytes[3] & 0xFF) : -1;
    }
}
