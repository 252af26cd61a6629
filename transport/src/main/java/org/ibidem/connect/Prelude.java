package org.ibidem.connect;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a connection may begin with instead of a handshake. Format: `docs/wire/handshake.md`.
///
/// ```
/// 0 "IBDM" | 4 0xFFFF | 6 what u16: 0 turn, 1 observe | 8 token 16 (turn)
/// ```
///
/// The first 8 bytes are as many as a handshake begins with, and no handshake begins with these:
/// the versions 65535 to 0 or 1 are no range.
public sealed interface Prelude {
    /// Bytes of what it begins with.
    int PREFIX_BYTES = 8;

    /// Bytes of the token of a [Turn].
    int TOKEN_BYTES = 16;

    /// "I come as you asked: you begin."
    ///
    /// @param token what was agreed on; the array belongs to it
    record Turn(byte[] token) implements Prelude {
        /// What is sent.
        public byte[] encode() {
            return ByteBuffer.allocate(PREFIX_BYTES + TOKEN_BYTES)
                    .put(prefix(0))
                    .put(token)
                    .array();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Turn that && Arrays.equals(token, that.token);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(token);
        }
    }

    /// "From which address do I come?" The answer is the number of another port to ask at, or 0,
    /// and an address, as in [AddressCoding]; it holds as long as the connection does.
    record Observe() implements Prelude {
        /// What is sent.
        public byte[] encode() {
            return prefix(1);
        }
    }

    /// Which one begins so, or null: a handshake, or garbage.
    ///
    /// @param prefix the first 8 bytes; the token of a turn is still to be read
    static @Nullable Prelude of(byte[] prefix) {
        if (Arrays.equals(prefix, prefix(0))) {
            return new Turn(new byte[TOKEN_BYTES]);
        }
        return Arrays.equals(prefix, prefix(1)) ? new Observe() : null;
    }

    private static byte[] prefix(int what) {
        return ByteBuffer.allocate(PREFIX_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put("IBDM".getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 0xffff)
                .putShort((short) what)
                .array();
    }
}
