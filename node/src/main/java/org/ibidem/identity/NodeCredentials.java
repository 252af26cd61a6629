package org.ibidem.identity;

import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import org.ibidem.link.Credentials;
import org.ibidem.topology.NodeId;

/// A node's own, towards one peer: a node is its key, so the peer is whoever has the key of that
/// id.
record NodeCredentials(Identity identity, NodeId peer) implements Credentials {
    @Override
    public X509Certificate certificate() {
        return identity.certificate();
    }

    @Override
    public PrivateKey secret() {
        return identity.secret();
    }

    @Override
    public void check(X509Certificate its) throws CertificateException {
        try {
            var id = NodeKey.of(its.getPublicKey().getEncoded()).id();
            if (!id.equals(peer)) {
                throw new CertificateException(
                        "it has the key of node " + id + ", and the link is with " + peer);
            }
        } catch (BadKey e) {
            throw new CertificateException(e.getMessage(), e);
        }
    }
}
