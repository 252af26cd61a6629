package org.ibidem.tls;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Arrays;
import org.ibidem.link.Credentials;
import org.ibidem.link.Lower;

/// Binds a session of TLS to the handshake of the link that it is for: each end signs, with its
/// node's key, what this session exports (RFC 9266) and what the handshake was. Who is between and
/// has joined the session of one link to the handshake of another cannot make either end see what
/// it has to see.
///
/// ```
/// 0        1
/// | status | signature, 64 bytes |
/// ```
///
/// The signature is over a line for the role, 32 bytes that the session exports, the 32 bytes of
/// [Lower#said], and the status: `docs/wire/filters.md`.
public final class Binding {
    /// Bytes that each end says.
    public static final int BYTES = 65;

    private static final byte[] CLIENT = label("ibidem tls 2 initiator\n");
    private static final byte[] SERVER = label("ibidem tls 2 responder\n");

    /// ECDSA with SHA-256 (FIPS 186-5), r and s of 32 bytes each.
    private static final String ALGORITHM = "SHA256withECDSAinP1363Format";

    private static final String JOINED =
            "it is in another session of TLS, or comes from another handshake, than this end is:"
                    + " somebody between joins two connections";

    private final Credentials credentials;
    private final PublicKey peer;
    private final byte[] exported;
    private final byte[] said;

    /// Of one session.
    ///
    /// @param credentials those of this end
    /// @param peer the key that the other end has proved
    /// @param exported what the session exports: [Engines#exported]
    /// @param said as [Lower#said]
    public Binding(Credentials credentials, PublicKey peer, byte[] exported, byte[] said) {
        if (exported.length != Engines.EXPORTED || said.length != Lower.SAID) {
            throw new IllegalArgumentException("both have 32 bytes");
        }
        this.credentials = credentials;
        this.peer = peer;
        this.exported = exported.clone();
        this.said = said.clone();
    }

    /// What this end says.
    ///
    /// @param active whether this end is TLS's client
    /// @param well whether it has seen the other's, and there is nothing wrong with it; at the end
    ///   that speaks first there is not
    /// @throws IOException when this end's key cannot sign
    public byte[] say(boolean active, boolean well) throws IOException {
        var status = new byte[] {(byte) (well ? 0 : 1)};
        try {
            var signer = Signature.getInstance(ALGORITHM);
            signer.initSign(credentials.secret());
            update(signer, active, status);
            var out = Arrays.copyOf(status, BYTES);
            var signature = signer.sign();
            System.arraycopy(signature, 0, out, status.length, signature.length);
            return out;
        } catch (GeneralSecurityException e) {
            throw new IOException("this node's key cannot sign: " + e.getMessage(), e);
        }
    }

    /// What is wrong with what the other end says, for people; empty: nothing.
    ///
    /// @param active whether the other end is TLS's client
    public String wrong(boolean active, byte[] heard) {
        var refuses = heard[0] == 0 ? "" : "the other end refuses this one, too";
        if (isTheirs(active, heard)) {
            return refuses.isEmpty() ? "" : "the other end refuses this one";
        }
        return "this end refuses the other: " + JOINED + (refuses.isEmpty() ? "" : "; " + refuses);
    }

    private boolean isTheirs(boolean active, byte[] heard) {
        try {
            var verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(peer);
            update(verifier, active, Arrays.copyOf(heard, 1));
            return heard.length == BYTES && verifier.verify(heard, 1, BYTES - 1);
        } catch (GeneralSecurityException _) {
            return false; // numbers out of range: no proof either way
        }
    }

    private void update(Signature signature, boolean active, byte[] status)
            throws GeneralSecurityException {
        signature.update(active ? CLIENT : SERVER);
        signature.update(exported);
        signature.update(said);
        signature.update(status);
    }

    private static byte[] label(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
