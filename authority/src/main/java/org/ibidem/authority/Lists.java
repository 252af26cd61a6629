package org.ibidem.authority;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.cert.X509CRLHolder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.ibidem.trust.RevokedList;
import org.jspecify.annotations.Nullable;

/// Makes lists of revoked certificates (RFC 5280, section 5).
final class Lists {
    private Lists() {}

    /// What a list is to say.
    ///
    /// @param before the one that it takes the place of; null: there is none
    /// @param more the numbers of the certificates that are revoked besides
    /// @param now when it is made
    /// @param lasts by when there is another one
    record Wish(
            @Nullable RevokedList before,
            Collection<BigInteger> more,
            Instant now,
            Duration lasts) {
        /// Greater than before, also where that was lost.
        private BigInteger number() {
            var time = BigInteger.valueOf(now.getEpochSecond());
            return before == null ? time : time.max(before.number().add(BigInteger.ONE));
        }
    }

    /// The next list.
    ///
    /// @return DER
    static byte[] make(Wish wish, X509Certificate issuer, PrivateKey by)
            throws GeneralSecurityException, IOException {
        try {
            var now = Date.from(wish.now);
            var builder =
                    new JcaX509v2CRLBuilder(issuer, now)
                            .setNextUpdate(Date.from(wish.now.plus(wish.lasts)));
            var keys = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.cRLNumber, false, new CRLNumber(wish.number()))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            keys.createAuthorityKeyIdentifier(issuer));
            if (wish.before != null) {
                builder.addCRL(new X509CRLHolder(wish.before.bytes()));
            }
            wish.more.forEach(number -> builder.addCRLEntry(number, now, CRLReason.unspecified));
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(by);
            return builder.build(signer).getEncoded();
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
