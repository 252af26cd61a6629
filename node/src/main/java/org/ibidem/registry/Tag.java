package org.ibidem.registry;

import java.util.Arrays;
import java.util.HexFormat;

/// What a program says of its node to the other members: some bytes that nobody else looks into,
/// set once, when it joins.
public final class Tag {
    /// Bytes of a tag, at most.
    public static final int MOST_BYTES = 256;

    /// Nothing said.
    public static final Tag NONE = new Tag(new byte[0]);

    private final byte[] bytes;

    private Tag(byte[] bytes) {
        this.bytes = bytes;
    }

    /// A tag of these bytes.
    ///
    /// @throws IllegalArgumentException when they are too many
    public static Tag of(byte... bytes) {
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a tag has at most "
                            + MOST_BYTES
                            + " bytes, not "
                            + bytes.length
                            + ": every member keeps it; send more than that in a message");
        }
        return bytes.length == 0 ? NONE : new Tag(bytes.clone());
    }

    /// How many bytes there are.
    public int size() {
        return bytes.length;
    }

    /// A copy of the bytes.
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tag tag && Arrays.equals(bytes, tag.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
