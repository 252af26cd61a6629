package org.ibidem.authority;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.spec.PKCS8EncodedKeySpec;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.crypto.util.PBKDF2Config;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS8EncryptedPrivateKeyInfoBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEInputDecryptorProviderBuilder;
import org.bouncycastle.pkcs.jcajce.JcePKCSPBEOutputEncryptorBuilder;
import org.ibidem.trust.Pem;

/// A private key as text: PKCS #8 (RFC 5958), plain or under a passphrase (PBES2 of RFC 8018 with
/// PBKDF2-HMAC-SHA256 and AES-256), as `openssl pkcs8` reads and writes it.
final class SecretKey {
    private static final String PLAIN = "PRIVATE KEY";
    private static final String SEALED = "ENCRYPTED PRIVATE KEY";
    private static final int ROUNDS = 600_000;

    /// For this alone: keys and signatures are the JDK's.
    private static final Provider PROVIDER = new BouncyCastleProvider();

    private SecretKey() {}

    /// @param passphrase empty: none
    static String text(PrivateKey key, char[] passphrase)
            throws GeneralSecurityException, IOException {
        return passphrase.length == 0
                ? Pem.section(PLAIN, key.getEncoded())
                : Pem.section(SEALED, sealed(key, passphrase));
    }

    private static byte[] sealed(PrivateKey key, char[] passphrase) throws IOException {
        try {
            var rounds =
                    new PBKDF2Config.Builder()
                            .withPRF(PBKDF2Config.PRF_SHA256)
                            .withIterationCount(ROUNDS)
                            .build();
            var how =
                    new JcePKCSPBEOutputEncryptorBuilder(
                                    rounds, NISTObjectIdentifiers.id_aes256_CBC)
                            .setProvider(PROVIDER)
                            .build(passphrase);
            return new JcaPKCS8EncryptedPrivateKeyInfoBuilder(key).build(how).getEncoded();
        } catch (OperatorCreationException e) {
            throw new IOException("it cannot be sealed: " + e.getMessage(), e);
        }
    }

    /// Whether it is under a passphrase.
    static boolean isSealed(String text) {
        return !Pem.sections(SEALED, text).isEmpty();
    }

    /// @throws AuthorityFailed when the passphrase is another
    static PrivateKey read(String text, char[] passphrase)
            throws GeneralSecurityException, IOException {
        var plain = Pem.sections(PLAIN, text);
        var spec =
                plain.isEmpty()
                        ? opened(text, passphrase)
                        : new PKCS8EncodedKeySpec(plain.getFirst());
        return KeyFactory.getInstance("EC").generatePrivate(spec);
    }

    private static PKCS8EncodedKeySpec opened(String text, char[] passphrase)
            throws GeneralSecurityException, IOException {
        var sealed = Pem.sections(SEALED, text);
        if (sealed.isEmpty()) {
            throw new AuthorityFailed("there is no private key in it");
        }
        try {
            var how =
                    new JcePKCSPBEInputDecryptorProviderBuilder()
                            .setProvider(PROVIDER)
                            .build(passphrase);
            var info = new PKCS8EncryptedPrivateKeyInfo(sealed.getFirst());
            return new PKCS8EncodedKeySpec(info.decryptPrivateKeyInfo(how).getEncoded());
        } catch (PKCSException e) {
            throw new AuthorityFailed("the passphrase is wrong", e);
        }
    }
}
