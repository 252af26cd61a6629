package org.ibidem.link;

import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;

/// With what the two ends of a link prove who they are, for filters that encrypt. Those of the same
/// two are equal, so that what was proved once need not be again.
public interface Credentials {
    /// This node's certificate: it holds the node's key.
    X509Certificate certificate();

    /// The private half of that key; it never leaves the process.
    PrivateKey secret();

    /// Whether this is the certificate of the node at the other end.
    ///
    /// @throws CertificateException when it is not; the message says why
    void check(X509Certificate its) throws CertificateException;
}
