package org.ibidem.topology;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// Who a node is: the first 16 bytes of the SHA-256 of its P-256 public key (as an X.509
/// SubjectPublicKeyInfo).
///
/// Location-independent: an address is only a hint until the key behind it is proved.
///
/// @param high first 8 bytes, big-endian
/// @param low last 8 bytes, big-endian
public record NodeId(long high, long low) implements Comparable<NodeId>, Serializable {
    /// Bytes on the wire.
    public static final int BYTES = 16;

    /// The id of the node with this public key, given in its X.509 encoding.
    public static NodeId of(byte[] publicKey) {
        try {
            var hash = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(publicKey));
            return new NodeId(hash.getLong(), hash.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /// Reads what [#toString] wrote: 32 hexadecimal digits.
    public static NodeId parse(String text) {
        if (text.length() != 2 * BYTES) {
            throw new IllegalArgumentException(
                    "a node id has 32 hexadecimal digits, not "
                            + text.length()
                            + ": '"
                            + text
                            + "'");
        }
        return new NodeId(
                HexFormat.fromHexDigitsToLong(text, 0, BYTES),
                HexFormat.fromHexDigitsToLong(text, BYTES, 2 * BYTES));
    }

    /// Reads what [#write] wrote.
    public static NodeId read(ControlReader in, String field) {
        var bytes = ByteBuffer.wrap(in.raw(field, BYTES));
        return new NodeId(bytes.getLong(), bytes.getLong());
    }

    /// Writes its 16 bytes in the order of the hash.
    public void write(ControlWriter out) {
        out.raw(ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array());
    }

    /// Enough of it for people to tell nodes apart: 8 digits.
    public String brief() {
        return toString().substring(0, 8);
    }

    @Override
    public int compareTo(NodeId other) {
        int first = Long.compareUnsigned(high, other.high);
        return first != 0 ? first : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        var hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
