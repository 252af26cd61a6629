package org.ibidem.trust;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.PKIXCertPathValidatorResult;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXReason;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ibidem.IbidemException;

/// Whose certificates count: the roots of one or more public key infrastructures. One that names a
/// pool (`ibidem:POOL/authority`) counts for that pool only.
///
/// @param roots their own certificates
public record Authority(List<X509Certificate> roots) {
    /// Extensions that the JDK looks at when it checks a path: how a key may be used, other names,
    /// who may issue, names that may be below, and policies (RFC 5280, section 4.2.1).
    private static final Set<String> KNOWN =
            Set.of(
                    "2.5.29.15",
                    "2.5.29.17",
                    "2.5.29.19",
                    "2.5.29.30",
                    "2.5.29.32",
                    "2.5.29.33",
                    "2.5.29.36",
                    "2.5.29.37",
                    "2.5.29.54");

    /// Copies the list.
    public Authority {
        roots = List.copyOf(roots);
    }

    /// Reads a file of certificates, PEM.
    ///
    /// @throws BadCertificate when there are none
    public static Authority read(Path file) {
        return new Authority(Chain.read(file).certificates());
    }

    /// What a chain says of its holder in a pool.
    ///
    /// @param key the holder's, X.509
    /// @param now by this clock
    /// @throws NotTrusted when it does not count
    public Standing check(Chain chain, byte[] key, String pool, Instant now) {
        if (chain.isEmpty()) {
            throw new NotTrusted(
                    "pool '"
                            + pool
                            + "' has an authority, and it shows no certificate: have one issued,"
                            + " and set ibidem.identity and ibidem.authority");
        }
        var own = chain.own();
        if (!Arrays.equals(own.getPublicKey().getEncoded(), key)) {
            throw new NotTrusted("its certificate is another's: its key is not this one's");
        }
        verify(chain, pool, now);
        return Standing.in(pool, own);
    }

    private void verify(Chain chain, String pool, Instant now) {
        var anchors = of(pool).map(root -> new TrustAnchor(root, null)).collect(Collectors.toSet());
        if (anchors.isEmpty()) {
            throw new NotTrusted(
                    "none of the authorities known here is that of pool '" + pool + "'");
        }
        var below = chain.certificates().stream().filter(each -> !roots.contains(each)).toList();
        for (var each : chain.certificates()) {
            requireTime(each, Delegation.whose(chain, each), now);
        }
        Delegation.check(below, pool);
        try {
            var path = CertificateFactory.getInstance("X.509").generateCertPath(below);
            var parameters = parameters(anchors, now);
            var found = CertPathValidator.getInstance("PKIX").validate(path, parameters);
            var root = ((PKIXCertPathValidatorResult) found).getTrustAnchor().getTrustedCert();
            Delegation.checkIssuers(below, root);
        } catch (CertPathValidatorException e) {
            throw new NotTrusted(why(e, chain), e);
        } catch (GeneralSecurityException e) {
            throw new IbidemException("this JDK checks no certificates: " + e.getMessage(), e);
        }
    }

    /// Those that count in a pool.
    Stream<X509Certificate> of(String pool) {
        return roots.stream().filter(root -> rules(root, pool));
    }

    private static PKIXParameters parameters(Set<TrustAnchor> anchors, Instant now)
            throws InvalidAlgorithmParameterException {
        var parameters = new PKIXParameters(anchors);
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(now));
        return parameters;
    }

    private static boolean rules(X509Certificate root, String pool) {
        var ruled = Standing.ruled(root);
        return ruled.isEmpty() ? !Delegation.isDelegate(root) : ruled.contains(pool);
    }

    private static String why(CertPathValidatorException e, Chain chain) {
        var by = chain.certificates().getLast().getIssuerX500Principal().getName();
        return switch (e.getReason()) {
            case BasicReason.ALGORITHM_CONSTRAINED ->
                    "its certificate is made by a method that this JDK no longer allows: "
                            + e.getMessage();
            case PKIXReason.UNRECOGNIZED_CRIT_EXT ->
                    "its certificate has a critical extension that is not known here, "
                            + unknown(chain)
                            + ", so it must not count (RFC 5280, section 4.2): have one issued"
                            + " without it";
            case PKIXReason.PATH_TOO_LONG,
                    PKIXReason.NOT_CA_CERT,
                    PKIXReason.INVALID_KEY_USAGE,
                    PKIXReason.INVALID_POLICY ->
                    "its certificate, or its issuer's, is not made for this: " + e.getMessage();
            default ->
                    "its certificate is of an unknown authority: it was issued by '"
                            + by
                            + "', and the authorities trusted here have not signed it ("
                            + e.getMessage()
                            + ")";
        };
    }

    private static String unknown(Chain chain) {
        return chain.certificates().stream()
                .map(X509Certificate::getCriticalExtensionOIDs)
                .filter(Objects::nonNull)
                .flatMap(Set::stream)
                .filter(each -> !KNOWN.contains(each))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", ", "OID ", ""));
    }

    private static void requireTime(X509Certificate each, String whose, Instant now) {
        try {
            each.checkValidity(Date.from(now));
        } catch (CertificateExpiredException e) {
            var until = each.getNotAfter().toInstant();
            throw new NotTrusted(
                    whose
                            + " has expired: it was valid until "
                            + until
                            + ", and the checking node's clock says "
                            + says(now, Duration.between(until, now))
                            + " later; have another one issued, or set the clock",
                    e);
        } catch (CertificateNotYetValidException e) {
            var from = each.getNotBefore().toInstant();
            throw new NotTrusted(
                    whose
                            + " is not yet valid: it is from "
                            + from
                            + " on, and the checking node's clock says "
                            + says(now, Duration.between(now, from))
                            + " earlier; is a clock wrong?",
                    e);
        }
    }

    private static String says(Instant now, Duration off) {
        var length =
                off.toDays() > 2
                        ? off.toDays() + " days"
                        : off.toHours() > 2
                                ? off.toHours() + " h"
                                : off.toMinutes() > 2
                                        ? off.toMinutes() + " min"
                                        : off.toSeconds() + " s";
        return now.truncatedTo(ChronoUnit.SECONDS) + ", " + length;
    }
}
