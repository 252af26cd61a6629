package org.ibidem.authority;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.ibidem.buffer.ControlReader;
import org.ibidem.buffer.ControlWriter;
import org.ibidem.trust.Chain;

/// What who is invited gets.
///
/// ```
/// name: length u16, at most 256; UTF-8 | authority: length u16, at most 4096, DER | own: the same
/// ```
///
/// @param name as which it was issued
/// @param authority the authority's certificate
/// @param own that of who is invited
record Admittance(String name, X509Certificate authority, X509Certificate own) {
    static final int LONGEST_NAME = 256;
    static final int LONGEST = 3 * 2 + LONGEST_NAME + 2 * Chain.LONGEST;

    byte[] encode() {
        try {
            return new ControlWriter(LONGEST)
                    .text(ControlWriter.shortened(name, LONGEST_NAME), LONGEST_NAME)
                    .bytes(authority.getEncoded(), Chain.LONGEST)
                    .bytes(own.getEncoded(), Chain.LONGEST)
                    .toBytes();
        } catch (CertificateException e) {
            throw new AuthorityFailed("a certificate cannot be written: " + e.getMessage(), e);
        }
    }

    static Admittance decode(byte[] bytes) {
        var in = new ControlReader(bytes);
        var name = in.text("name", LONGEST_NAME);
        var authority = certificate(in, "authority");
        var own = certificate(in, "own");
        in.end();
        return new Admittance(name, authority, own);
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
