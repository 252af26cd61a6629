package org.ibidem.trust;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.ibidem.IbidemException;

/// The key of one job: whoever can show that he has it may join the job's hub. It is made by the
/// launcher, lies in a file of its user ([JobFile]), and never travels: what travels is its name,
/// and signatures over what only its owners can compute (HMAC, RFC 2104, with SHA-256).
///
/// Format: `docs/wire/handshake.md`.
public final class JobKey {
    /// Bytes of a key.
    static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] NAME = "ibidem job 1 name\n".getBytes(StandardCharsets.US_ASCII);
    private static final int NAME_BYTES = 16;

    private final byte[] secret;
    private final String name;

    private JobKey(byte[] secret) {
        this.secret = secret;
        this.name = HexFormat.of().formatHex(Arrays.copyOf(mac(NAME), NAME_BYTES));
    }

    /// A new one.
    public static JobKey create() {
        var secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        return new JobKey(secret);
    }

    /// The one of these bytes.
    ///
    /// @throws IllegalArgumentException when they are not 32
    public static JobKey of(byte[] secret) {
        if (secret.length != BYTES) {
            throw new IllegalArgumentException(
                    "the key of a job has " + BYTES + " bytes, not " + secret.length);
        }
        return new JobKey(secret.clone());
    }

    /// By which both ends know which key is meant; says nothing of it.
    public String name() {
        return name;
    }

    /// What only owners of the key can compute of these bytes.
    public byte[] mac(byte[] of) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(of);
        } catch (GeneralSecurityException e) {
            throw new IbidemException("this JDK has no " + ALGORITHM, e);
        }
    }

    /// For its file.
    byte[] secret() {
        return secret.clone();
    }

    @Override
    public String toString() {
        return "job key " + name;
    }
}
