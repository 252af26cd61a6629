package org.ibidem.topology;

import java.net.InetAddress;

/// Addresses that begin with the same bits: `192.0.2.0/24` (RFC 4632), or one address with as many
/// bits as belong to its network: `192.0.2.7/24`.
///
/// @param address one of them
/// @param bits how many the addresses have in common, 0 to 32 or 128
public record Subnet(InetAddress address, int bits) {
    /// Checks the bits.
    public Subnet {
        int all = address.getAddress().length * Byte.SIZE;
        if (bits < 0 || bits > all) {
            throw new IllegalArgumentException(
                    "a subnet of " + address.getHostAddress() + " has 0 to " + all + " bits");
        }
    }

    /// Reads what [#toString] writes; without a stroke: that one address.
    ///
    /// @throws IllegalArgumentException when it is no subnet
    public static Subnet parse(String text) {
        int stroke = text.indexOf('/');
        var address = InetAddress.ofLiteral(stroke < 0 ? text : text.substring(0, stroke));
        int all = address.getAddress().length * Byte.SIZE;
        try {
            return new Subnet(
                    address, stroke < 0 ? all : Integer.parseInt(text.substring(stroke + 1)));
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException(
                    "expected a prefix length after '/': '" + text + "'");
        }
    }

    /// Is this address one of them?
    public boolean holds(InetAddress other) {
        var mine = address.getAddress();
        var theirs = other.getAddress();
        if (mine.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if (((mine[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return address.getHostAddress() + "/" + bits;
    }
}
