package org.ibidem.authority;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.trust.Chain;
import org.ibidem.trust.NotTrusted;

/// What who is invited gets.
///
/// ```
/// name: length u16, at most 256; UTF-8 | authority: length u16, at most 4096, DER | own: the same
/// | nothing, or of whom a delegate has let in: those between, as a Chain
/// ```
///
/// @param name as which it was issued
/// @param authority the authority's certificate
/// @param own that of who is invited, then those between it and the authority's
record Admittance(String name, X509Certificate authority, Chain own) {
    static final int LONGEST_NAME = 256;
    static final int LONGEST = 3 * 2 + LONGEST_NAME + 3 * Chain.LONGEST;

    /// So many may be between.
    private static final int MOST = 2;

    byte[] encode() {
        try {
            return new ControlWriter(LONGEST)
                    .text(ControlWriter.shortened(name, LONGEST_NAME), LONGEST_NAME)
                    .bytes(authority.getEncoded(), Chain.LONGEST)
                    .bytes(own.certificates().getFirst().getEncoded(), Chain.LONGEST)
                    .raw(between().bytes())
                    .toBytes();
        } catch (CertificateException e) {
            throw new AuthorityFailed("a certificate cannot be written: " + e.getMessage(), e);
        }
    }

    private Chain between() {
        var all = own.certificates();
        return new Chain(all.subList(1, all.size()));
    }

    static Admittance decode(byte[] bytes) {
        var in = new ControlReader(bytes);
        var name = in.name("name", LONGEST_NAME);
        var authority = certificate(in, "authority");
        var own = new ArrayList<>(List.of(certificate(in, "own")));
        own.addAll(between(in));
        return new Admittance(name, authority, new Chain(own));
    }

    private static List<X509Certificate> between(ControlReader in) {
        int bytes = in.remaining();
        if (bytes > Chain.LONGEST) {
            throw in.bad("between", bytes + " bytes, where " + Chain.LONGEST + " may be");
        }
        try {
            var between = Chain.of(in.raw("between", bytes)).certificates();
            if (between.size() > MOST) {
                throw in.bad("between", between.size() + " certificates, where 2 may be");
            }
            return between;
        } catch (NotTrusted e) {
            throw in.bad("between", String.valueOf(e.getMessage()));
        }
    }

    private static X509Certificate certificate(ControlReader in, String field) {
        try {
            var der = new ByteArrayInputStream(in.bytes(field, Chain.LONGEST));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(der);
        } catch (CertificateException e) {
            throw in.bad(field, "this is no certificate: " + e.getMessage());
        }
    }
}
