package org.ibidem.trust;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;

/// Certificates as they are shown: one's own first, then those of who issued it, up to the
/// authority's, which may be left out.
///
/// ```
/// 0 count u8 | each: length u16, DER
/// ```
///
/// Nothing at all where there is none.
///
/// @param certificates at most 4
public record Chain(List<X509Certificate> certificates) {
    /// Longest on the wire, in bytes.
    public static final int LONGEST = 4096;

    /// Somebody without a certificate.
    public static final Chain NONE = new Chain(List.of());

    private static final int MOST = 4;
    private static final long LONGEST_FILE = 1 << 16;
    private static final String LABEL = "CERTIFICATE";

    /// Copies the list.
    public Chain {
        certificates = List.copyOf(certificates);
    }

    /// Whether there is a certificate.
    public boolean isEmpty() {
        return certificates.isEmpty();
    }

    /// One's own.
    X509Certificate own() {
        return certificates.getFirst();
    }

    /// Until when all of them count.
    public Instant until() {
        return certificates.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Comparator.naturalOrder())
                .orElse(Instant.MIN);
    }

    /// The key that one's own is for, X.509.
    public byte[] key() {
        return own().getPublicKey().getEncoded();
    }

    /// Reads the certificates of a file, in their order: PEM (RFC 7468); other sections, such as a
    /// key, are passed over.
    ///
    /// @throws BadCertificate when there are none
    public static Chain read(Path file) {
        try {
            if (Files.size(file) > LONGEST_FILE) {
                throw new BadCertificate(file + " has over " + LONGEST_FILE + " bytes");
            }
            var sections = Pem.sections(LABEL, Files.readString(file));
            if (sections.isEmpty()) {
                throw new BadCertificate(
                        file + " holds no certificate: it has no section '" + LABEL + "'");
            }
            var all = new ArrayList<X509Certificate>();
            for (var section : sections) {
                all.add(certificate(section));
            }
            return new Chain(all);
        } catch (IOException | CertificateException | IllegalArgumentException e) {
            throw new BadCertificate("the certificates in " + file + " cannot be read: " + e, e);
        }
    }

    /// As it is shown.
    ///
    /// @throws BadCertificate when there are more, or longer ones, than can be
    public byte[] bytes() {
        if (isEmpty()) {
            return new byte[0];
        }
        try {
            int all = 1;
            for (var each : certificates) {
                all += 2 + each.getEncoded().length;
            }
            if (certificates.size() > MOST || all > LONGEST) {
                throw new BadCertificate(
                        "a node shows at most %d certificates of %d bytes together, not %d of %d"
                                .formatted(MOST, LONGEST, certificates.size(), all));
            }
            var out = new ControlWriter(all).u8(certificates.size());
            for (var each : certificates) {
                out.u16(each.getEncoded().length).raw(each.getEncoded());
            }
            return out.toBytes();
        } catch (CertificateEncodingException e) {
            throw new BadCertificate("a certificate cannot be written: " + e.getMessage(), e);
        }
    }

    /// Reads what somebody shows.
    ///
    /// @throws NotTrusted when these are no certificates
    /// @throws org.ibidem.buffer.Malformed when it is no chain
    public static Chain of(byte[] shown) {
        if (shown.length == 0) {
            return NONE;
        }
        var in = new ControlReader(shown);
        int count = in.u8("certificates");
        if (count == 0 || count > MOST) {
            throw new NotTrusted("it shows " + count + " certificates, where 1 to 4 may be");
        }
        var all = new ArrayList<X509Certificate>();
        for (int i = 0; i < count; i++) {
            try {
                all.add(certificate(in.raw("certificate", in.u16("length"))));
            } catch (CertificateException e) {
                throw new NotTrusted("it shows a certificate that is none: " + e.getMessage(), e);
            }
        }
        in.end();
        return new Chain(all);
    }

    private static X509Certificate certificate(byte[] der) throws CertificateException {
        var factory = CertificateFactory.getInstance("X.509");
        return (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der));
    }
}
