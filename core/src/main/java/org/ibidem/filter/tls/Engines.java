package org.ibidem.filter.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.ibidem.link.Credentials;
import org.jspecify.annotations.Nullable;

/// Makes the JDK's engines for one end of a link: TLS 1.3 and nothing older, this node's
/// certificate, and no peer but the one whose link it is.
final class Engines {
    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private static final String[] SUITES = {
        "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
    };

    private static final X509Certificate[] NOBODY = {};

    private Engines() {}

    /// The active end is TLS's client.
    ///
    /// @param link its key: both ends must mean the same link
    static SSLEngine engine(Credentials credentials, boolean active, String link)
            throws IOException {
        try {
            var context = SSLContext.getInstance(PROTOCOLS[0]);
            var own = new KeyManager[] {new Own(credentials)};
            context.init(own, new TrustManager[] {new Peer(credentials)}, null);
            var engine = context.createSSLEngine();
            engine.setUseClientMode(active);
            engine.setNeedClientAuth(true);
            var parameters = engine.getSSLParameters();
            parameters.setProtocols(PROTOCOLS);
            parameters.setCipherSuites(SUITES);
            parameters.setApplicationProtocols(new String[] {"ibidem/1 " + link});
            engine.setSSLParameters(parameters);
            return engine;
        } catch (GeneralSecurityException e) {
            throw new IOException("this JDK has no TLS 1.3: " + e.getMessage(), e);
        }
    }

    /// The one certificate there is to show.
    private static final class Own extends X509ExtendedKeyManager {
        private static final String NAME = "node";
        private final Credentials credentials;

        Own(Credentials credentials) {
            this.credentials = credentials;
        }

        @Override
        public String chooseEngineClientAlias(
                String[] types, Principal @Nullable [] issuers, SSLEngine engine) {
            return NAME;
        }

        @Override
        public String chooseEngineServerAlias(
                String type, Principal @Nullable [] issuers, SSLEngine engine) {
            return NAME;
        }

        @Override
        public X509Certificate[] getCertificateChain(String name) {
            return new X509Certificate[] {credentials.certificate()};
        }

        @Override
        public PrivateKey getPrivateKey(String name) {
            return credentials.secret();
        }

        @Override
        public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {NAME};
        }

        @Override
        public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
            return new String[] {NAME};
        }

        @Override
        public String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, Socket socket) {
            return NAME;
        }

        @Override
        public String chooseServerAlias(
                String type, Principal @Nullable [] issuers, Socket socket) {
            return NAME;
        }
    }

    /// Whoever has the peer's key.
    private static final class Peer extends X509ExtendedTrustManager {
        private final Credentials credentials;

        Peer(Credentials credentials) {
            this.credentials = credentials;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            credentials.check(chain[0]);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type)
                throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return NOBODY;
        }
    }
}
