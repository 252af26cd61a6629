package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import org.ibidem.identity.Identity;
import org.ibidem.link.Credentials;

/// What a program needs that speaks TLS by the JDK alone: a key with its certificate, and a store
/// in which the other's is.
record TlsKeys(Credentials own) {
    private static final char[] NO_PASSWORD = {};

    /// New ones, of the same kind as a node's.
    static TlsKeys create() {
        var identity = Identity.create();
        return new TlsKeys(identity.towards(identity.id()));
    }

    Certificate certificate() {
        return own.certificate();
    }

    /// The context of an end that trusts the holder of a certificate and nobody else.
    SSLContext towards(Certificate peer) throws IOException {
        try {
            var mine = store();
            mine.setKeyEntry("own", own.secret(), NO_PASSWORD, new Certificate[] {certificate()});
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(mine, NO_PASSWORD);
            var theirs = store();
            theirs.setCertificateEntry("peer", peer);
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(theirs);
            var context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static KeyStore store() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /// Both ends are to prove who they are.
    static SSLEngine mutual(SSLEngine engine, boolean client) {
        engine.setUseClientMode(client);
        engine.setNeedClientAuth(true);
        engine.setEnabledProtocols(new String[] {"TLSv1.3"});
        engine.setEnabledCipherSuites(new String[] {"TLS_AES_256_GCM_SHA384"});
        return engine;
    }
}
