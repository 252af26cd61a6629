package org.ibidem.identity;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The public half of an [Identity]: a point on the curve P-256 in its one allowed encoding, an
/// X.509 SubjectPublicKeyInfo (RFC 5480) of 91 bytes with an uncompressed point.
///
/// Other encodings of the same key are refused: they would give the same key several node ids.
public final class NodeKey {
    /// Bytes of the encoding.
    public static final int BYTES = 91;

    /// Bytes of a signature: r and s, 32 bytes each, big-endian (IEEE P1363).
    public static final int SIGNATURE_BYTES = 64;

    static final String ALGORITHM = "SHA256withECDSAinP1363Format";

    // SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING { 04 ...
    private static final byte[] PREFIX =
            HexFormat.of().parseHex("3059301306072a8648ce3d020106082a8648ce3d03010703420004");

    // publicKey [1] { BIT STRING { 04 ... at the end of an ECPrivateKey
    private static final byte[] INSIDE = HexFormat.of().parseHex("a14403420004");

    private static final int POINT = 64;

    private final byte[] encoded;
    private final PublicKey key;
    private final NodeId id;

    private NodeKey(byte[] encoded, PublicKey key) {
        this.encoded = encoded;
        this.key = key;
        this.id = NodeId.of(encoded);
    }

    /// The key with this encoding.
    ///
    /// @throws BadKey when it is not a P-256 key in the allowed encoding
    public static NodeKey of(byte[] encoded) {
        if (encoded.length != BYTES
                || !Arrays.equals(encoded, 0, PREFIX.length, PREFIX, 0, PREFIX.length)) {
            throw new BadKey(
                    "the public key is not a P-256 key in X.509 encoding with an uncompressed point");
        }
        try {
            var key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded));
            return new NodeKey(encoded.clone(), key);
        } catch (GeneralSecurityException e) {
            throw new BadKey("the public key is not a point on the curve P-256", e);
        }
    }

    /// The encoding of the key that a private one has in it (RFC 5915), as openssl writes them.
    ///
    /// @param privateKey PKCS #8
    /// @return null: it has none
    static byte @Nullable [] within(byte[] privateKey) {
        int at = privateKey.length - POINT;
        int begin = at - INSIDE.length;
        if (begin < 0 || !Arrays.equals(privateKey, begin, at, INSIDE, 0, INSIDE.length)) {
            return null;
        }
        var encoded = Arrays.copyOf(PREFIX, BYTES);
        System.arraycopy(privateKey, at, encoded, PREFIX.length, POINT);
        return encoded;
    }

    /// The id of the node that has this key.
    public NodeId id() {
        return id;
    }

    /// The encoding, in an array of its own.
    public byte[] encoded() {
        return encoded.clone();
    }

    /// Did the owner of this key sign these parts, one after the other?
    ///
    /// @param signature r and s; anything else is simply wrong
    public boolean verify(byte[] signature, byte[]... parts) {
        if (signature.length != SIGNATURE_BYTES) {
            return false;
        }
        try {
            var verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            for (var part : parts) {
                verifier.update(part);
            }
            return verifier.verify(signature);
        } catch (GeneralSecurityException _) {
            return false; // a key off the curve, or numbers out of range: no proof either way
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeKey that && Arrays.equals(encoded, that.encoded);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "key of " + id;
    }
}
