package org.ibidem.authority;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/// Makes certificates (X.509 version 3, RFC 5280): keys of P-256, signed by ECDSA with SHA-256.
final class Certificates {
    /// Of who issues nothing.
    static final int ISSUES_NOTHING = -1;

    private static final int SERIAL_BITS = 127;

    /// Clocks differ: what is issued now counts a while ago already.
    private static final Duration SLACK = Duration.ofMinutes(5);

    private Certificates() {}

    /// What a certificate is to say.
    ///
    /// @param subject for people
    /// @param uri what it is by our rules
    /// @param key whose
    /// @param from when it is made
    /// @param lasts how long it counts
    record Wish(String subject, String uri, PublicKey key, Instant from, Duration lasts) {}

    static KeyPair keys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /// @param issuer null: it signs itself, and may sign others
    static X509Certificate make(Wish wish, @Nullable X509Certificate issuer, PrivateKey by)
            throws GeneralSecurityException {
        return make(wish, issuer, by, issuer == null ? 1 : ISSUES_NOTHING);
    }

    /// @param issuer null: it signs itself
    /// @param below how many issuers there may be below it; [#ISSUES_NOTHING]: it is none itself
    static X509Certificate make(
            Wish wish, @Nullable X509Certificate issuer, PrivateKey by, int below)
            throws GeneralSecurityException {
        try {
            var subject = name(wish.subject);
            var builder =
                    new JcaX509v3CertificateBuilder(
                            issuer == null ? subject : issuer.getSubjectX500Principal(),
                            new BigInteger(SERIAL_BITS, new SecureRandom()).setBit(0),
                            Date.from(wish.from.minus(SLACK)),
                            Date.from(wish.from.plus(wish.lasts)),
                            subject,
                            wish.key);
            var keys = new JcaX509ExtensionUtils();
            builder.addExtension(
                            Extension.basicConstraints,
                            true,
                            below < 0 ? new BasicConstraints(false) : new BasicConstraints(below))
                    .addExtension(
                            Extension.keyUsage, true, new KeyUsage(usage(issuer == null, below)))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            keys.createSubjectKeyIdentifier(wish.key))
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(
                                    new GeneralName(
                                            GeneralName.uniformResourceIdentifier, wish.uri)));
            if (issuer != null) {
                builder.addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        keys.createAuthorityKeyIdentifier(issuer));
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(by);
            return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
        } catch (OperatorCreationException | CertIOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static int usage(boolean root, int below) {
        if (root) {
            return KeyUsage.keyCertSign + KeyUsage.cRLSign;
        }
        // A delegate proves to hubs who it is, too.
        return KeyUsage.digitalSignature + (below < 0 ? 0 : KeyUsage.keyCertSign);
    }

    /// A name with what people wrote in it, whatever that is.
    private static X500Principal name(String text) {
        return new X500Principal("CN=\"" + text.replaceAll("[\"\\\\]", "\\\\$0") + "\"");
    }
}
