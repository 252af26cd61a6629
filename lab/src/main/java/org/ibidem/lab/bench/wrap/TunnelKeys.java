package org.ibidem.lab.bench.wrap;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.util.HexFormat;

/// A new pair of keys as WireGuard's programs are told of them: X25519 (RFC 7748), in hexadecimal.
///
/// @param secret whose it is alone
/// @param open what the other end knows
public record TunnelKeys(String secret, String open) {
    private static final int BYTES = 32;

    /// Others each time.
    public static TunnelKeys create() {
        try {
            var pair = KeyPairGenerator.getInstance("X25519").generateKeyPair();
            var scalar = ((XECPrivateKey) pair.getPrivate()).getScalar().orElseThrow();
            var open = lowestFirst(((XECPublicKey) pair.getPublic()).getU());
            var hex = HexFormat.of();
            return new TunnelKeys(hex.formatHex(scalar), hex.formatHex(open));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] lowestFirst(BigInteger number) {
        var bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = number.shiftRight(Byte.SIZE * i).byteValue();
        }
        return bytes;
    }
}
