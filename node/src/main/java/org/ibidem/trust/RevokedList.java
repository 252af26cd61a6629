package org.ibidem.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which certificates of an authority count no more: a certificate revocation list (X.509, RFC
/// 5280, section 5), signed by the authority itself, with a number that grows and a day by which
/// there is another one.
public final class RevokedList {
    /// Longest one, in bytes of DER: about 1500 certificates.
    public static final int LONGEST = 60_000;

    /// Its section in a file.
    public static final String LABEL = "X509 CRL";

    private static final String NUMBER = "2.5.29.20";
    private static final int INTEGER = 2;
    private static final int LONGEST_NUMBER = 20;
    private static final long LONGEST_FILE = 2L * LONGEST;

    /// Clocks differ a little.
    private static final Duration SLACK = Duration.ofMinutes(10);

    private final byte[] der;
    private final X509CRL list;
    private final BigInteger number;

    private RevokedList(byte[] der, X509CRL list, BigInteger number) {
        this.der = der;
        this.list = list;
        this.number = number;
    }

    /// Reads one, without asking who has signed it.
    ///
    /// @param der as it travels
    /// @throws NotTrusted when it is none, or not of the kind that is used here
    public static RevokedList of(byte[] der) {
        if (der.length > LONGEST) {
            throw refused(
                    "it has %d bytes, where at most %d may be".formatted(der.length, LONGEST));
        }
        try {
            var in = new ByteArrayInputStream(der);
            var list = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
            if (in.available() > 0) {
                throw refused("%d bytes follow it".formatted(in.available()));
            }
            if (list.hasUnsupportedCriticalExtension() || list.getNextUpdate() == null) {
                throw refused("it is of a kind that is not used here");
            }
            return new RevokedList(der.clone(), list, number(list.getExtensionValue(NUMBER)));
        } catch (CRLException | CertificateException e) {
            throw new NotTrusted(why("it cannot be read: " + e.getMessage()), e);
        }
    }

    /// An OCTET STRING with an INTEGER in it, both short.
    private static BigInteger number(byte @Nullable [] value) {
        if (value == null
                || value.length < 5
                || value[2] != INTEGER
                || value[3] <= 0
                || value[3] > LONGEST_NUMBER
                || value.length != value[3] + 4
                || value[4] < 0) {
            throw refused("it has no number");
        }
        return new BigInteger(Arrays.copyOfRange(value, 4, value.length));
    }

    /// Reads the one in a file, PEM.
    ///
    /// @throws NotTrusted when there is none
    public static RevokedList read(Path file) {
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw refused("%s has over %d bytes".formatted(file, LONGEST_FILE));
            }
            var sections = Pem.sections(LABEL, Files.readString(file));
            if (sections.size() != 1) {
                throw refused(
                        "%s has %d sections '%s', not one".formatted(file, sections.size(), LABEL));
            }
            return of(sections.getFirst());
        } catch (IOException | IllegalArgumentException e) {
            throw new NotTrusted(why(file + " cannot be read: " + e), e);
        }
    }

    private static NotTrusted refused(String text) {
        return new NotTrusted(why(text));
    }

    private static String why(String text) {
        return "this list of revoked certificates does not count: " + text;
    }

    /// As it travels.
    public byte[] bytes() {
        return der.clone();
    }

    /// Greater than that of every list before it.
    public BigInteger number() {
        return number;
    }

    /// Since when it is.
    Instant made() {
        return list.getThisUpdate().toInstant();
    }

    /// By when there is another one.
    public Instant renewal() {
        return Objects.requireNonNull(list.getNextUpdate(), "checked").toInstant();
    }

    /// The numbers of the certificates that count no more.
    public List<BigInteger> revoked() {
        var entries = list.getRevokedCertificates();
        return entries == null
                ? List.of()
                : entries.stream().map(X509CRLEntry::getSerialNumber).sorted().toList();
    }

    /// Since when a certificate of a chain counts no more, or null. What a delegate has issued
    /// stands in the list of the authority that has made it one.
    @Nullable Instant since(X509Certificate certificate, Chain chain) {
        var by = Delegation.delegated(certificate, chain);
        boolean ours =
                (by == null ? certificate : by)
                        .getIssuerX500Principal()
                        .equals(list.getIssuerX500Principal());
        var entry = ours ? list.getRevokedCertificate(certificate.getSerialNumber()) : null;
        return entry == null ? null : entry.getRevocationDate().toInstant();
    }

    /// Whether an authority has signed it.
    boolean isOf(X509Certificate root) {
        try {
            if (!root.getSubjectX500Principal().equals(list.getIssuerX500Principal())) {
                return false;
            }
            list.verify(root.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false; // another key, or changed on the way
        }
    }

    /// Whether it can take the place of another one now.
    ///
    /// @param before null: there is none
    /// @return false: it is the same
    /// @throws NotTrusted when it is older, or not of now
    boolean follows(@Nullable RevokedList before, Instant now) {
        if (renewal().isBefore(now)) {
            throw refused(
                    "a newer one was due by %s, and the checking node's clock says %s"
                            .formatted(renewal(), now));
        }
        if (list.getThisUpdate().toInstant().isAfter(now.plus(SLACK))) {
            throw refused(
                    "it is of %s, and the checking node's clock says %s; is a clock wrong?"
                            .formatted(list.getThisUpdate().toInstant(), now));
        }
        int newer = before == null ? 1 : number.compareTo(before.number);
        if (before != null && (newer < 0 || (newer == 0 && !Arrays.equals(der, before.der)))) {
            throw refused(
                    "it has number %s, and one with %s is known".formatted(number, before.number));
        }
        return newer > 0;
    }

    @Override
    public String toString() {
        return "list %s of revoked certificates: %d, until %s"
                .formatted(number, revoked().size(), renewal());
    }
}
