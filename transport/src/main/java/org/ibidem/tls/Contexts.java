package org.ibidem.tls;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.ibidem.link.Credentials;

/// What the JDK keeps between one connection and the next, one for each two nodes: so a session can
/// be taken up again (RFC 8446, section 2.2) by the node that it was with, and by no other. Then
/// nobody signs or checks certificates a second time; keys are fresh all the same, as the JDK takes
/// up sessions with a new exchange of keys only.
///
/// Of those that were used last, so many.
final class Contexts {
    private static final int MOST = 256;
    private static final float LOAD = 0.75f;
    private static final int SESSIONS = 16;

    /// How long a session may be taken up.
    private static final Duration LASTS = Duration.ofHours(1);

    private static final Contexts ALL = new Contexts();

    private final Map<Credentials, SSLContext> kept = new LinkedHashMap<>(MOST, LOAD, true);

    private Contexts() {}

    static SSLContext of(
            Credentials credentials, String protocol, KeyManager own, TrustManager peer)
            throws GeneralSecurityException {
        synchronized (ALL.kept) {
            var known = ALL.kept.get(credentials);
            if (known == null) {
                known = made(protocol, own, peer);
                ALL.kept.put(credentials, known);
                if (ALL.kept.size() > MOST) {
                    ALL.kept.remove(ALL.kept.keySet().iterator().next());
                }
            }
            return known;
        }
    }

    private static SSLContext made(String protocol, KeyManager own, TrustManager peer)
            throws GeneralSecurityException {
        var context = SSLContext.getInstance(protocol);
        context.init(new KeyManager[] {own}, new TrustManager[] {peer}, null);
        for (var sessions :
                List.of(context.getClientSessionContext(), context.getServerSessionContext())) {
            sessions.setSessionCacheSize(SESSIONS);
            sessions.setSessionTimeout((int) LASTS.toSeconds());
        }
        return context;
    }
}
