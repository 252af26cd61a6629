package org.ibidem.authority;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// What both ends of an invitation make of their long secret and of all that they have said to get
/// it: for each a confirmation, by which the other sees that it has the same, and a key for what it
/// says next. HKDF with SHA-256 (RFC 5869), AES-256-GCM.
///
/// ```
/// salt = SHA-256(all that was said), input = the secret, info = "ibidem invitation 1 keys"
/// 0 joiner confirms 32 | 32 inviter confirms 32 | 64 joiner's key 32 | 96 inviter's key 32
/// ```
final class SharedKeys {
    /// Length of a confirmation.
    static final int CONFIRMATION = 32;

    /// By how much what is sealed is longer.
    static final int TAG = 16;

    private static final int KEY = 32;
    private static final int NONCE = 12;
    private static final byte[] INFO =
            "ibidem invitation 1 keys".getBytes(StandardCharsets.US_ASCII);

    private final byte[] all;

    private SharedKeys(byte[] all) {
        this.all = all;
    }

    /// @param said by both, in its order: any byte that was altered on the way makes other keys
    static SharedKeys of(byte[] secret, byte[]... said) {
        try {
            var salt = MessageDigest.getInstance("SHA-256");
            for (var each : said) {
                salt.update(each);
            }
            var how =
                    HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .addSalt(salt.digest())
                            .thenExpand(INFO, 2 * CONFIRMATION + 2 * KEY);
            return new SharedKeys(KDF.getInstance("HKDF-SHA256").deriveData(how));
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("this JDK derives no keys: " + e, e);
        }
    }

    byte[] confirmation(boolean inviter) {
        int from = inviter ? CONFIRMATION : 0;
        return Arrays.copyOfRange(all, from, from + CONFIRMATION);
    }

    void requireConfirmed(boolean inviter, byte[] said) throws WrongCode {
        if (!MessageDigest.isEqual(confirmation(inviter), said)) {
            throw new WrongCode("the other end has another code");
        }
    }

    /// Each end seals one message, so its key needs no nonce.
    byte[] seal(boolean inviter, byte[] text) {
        try {
            return cipher(Cipher.ENCRYPT_MODE, inviter).doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new AuthorityFailed("this JDK does not encrypt: " + e, e);
        }
    }

    byte[] open(boolean inviter, byte[] sealed) throws WrongCode {
        try {
            return cipher(Cipher.DECRYPT_MODE, inviter).doFinal(sealed);
        } catch (GeneralSecurityException e) {
            throw new WrongCode("what the other end said was altered on the way", e);
        }
    }

    private Cipher cipher(int mode, boolean inviter) throws GeneralSecurityException {
        int from = 2 * CONFIRMATION + (inviter ? KEY : 0);
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        var key = new SecretKeySpec(all, from, KEY, "AES");
        cipher.init(mode, key, new GCMParameterSpec(8 * TAG, new byte[NONCE]));
        return cipher;
    }
}
