package org.ibidem.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.ibidem.link.Credentials;
import org.jspecify.annotations.Nullable;

/// Makes the JDK's engines for one end of a connection: TLS 1.3 (RFC 8446) and nothing older, this
/// node's certificate, and no peer but the one who is to be there.
public final class Engines {
    /// What every engine speaks or nothing, for people.
    public static final String SPOKEN = "tls 1.3 aes-256-gcm";

    /// Bytes that a session exports to be signed (RFC 9266).
    public static final int EXPORTED = 32;

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    /// One, so that what is said of a connection before it has begun to speak TLS is so.
    private static final String[] SUITES = {"TLS_AES_256_GCM_SHA384"};

    private static final X509Certificate[] NOBODY = {};

    /// Under which the JDK finds the session that was: a context has one peer only.
    private static final String PEER = "peer";

    private static final int PORT = 1;

    /// Of the channel binding `tls-exporter`, whose context is empty.
    private static final String LABEL = "EXPORTER-Channel-Binding";

    private Engines() {}

    /// An engine that has not begun. It takes up the session that the same two had last, if there
    /// is one: their keys were proved then, and are not again.
    ///
    /// @param credentials with what both ends prove who they are
    /// @param active whether this end is TLS's client
    /// @param what it is for: both ends must mean the same
    /// @throws IOException when this JDK has no TLS 1.3
    public static SSLEngine engine(Credentials credentials, boolean active, String what)
            throws IOException {
        try {
            var own = new Own(credentials);
            var context = Contexts.of(credentials, PROTOCOLS[0], own, new Peer(credentials));
            var engine = context.createSSLEngine(PEER, PORT);
            engine.setUseClientMode(active);
            engine.setNeedClientAuth(true);
            var parameters = engine.getSSLParameters();
            parameters.setProtocols(PROTOCOLS);
            parameters.setCipherSuites(SUITES);
            parameters.setApplicationProtocols(new String[] {"ibidem/1 " + what});
            engine.setSSLParameters(parameters);
            return engine;
        } catch (GeneralSecurityException e) {
            throw new IOException("this JDK has no TLS 1.3: " + e.getMessage(), e);
        }
    }

    /// What only the two ends of this session know, and no other session has: the channel binding
    /// `tls-exporter` of RFC 9266, 32 bytes.
    ///
    /// @param engine whose handshake is over
    /// @throws IOException when it has no session yet
    public static byte[] exported(SSLEngine engine) throws IOException {
        if (engine.getSession() instanceof ExtendedSSLSession session) {
            return session.exportKeyingMaterialData(LABEL, new byte[0], EXPORTED);
        }
        throw new IOException("this JDK's sessions of TLS export nothing");
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
