package org.ibidem.lab.bench.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.ibidem.identity.Identity;
import org.ibidem.lab.bench.Burst;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Player;
import org.ibidem.link.Credentials;
import org.ibidem.tls.Engines;

/// Handshakes of TLS 1.3, mutual, with keys of P-256, both ends in one process and through memory:
/// what the processor has to do for one.
///
/// @param kind whose engines
public record TlsHandshakes(Kind kind) implements Contestant {
    /// Of both ends together.
    public static final String HANDSHAKE = "handshake";

    private static final int PORT = 1;

    /// Whose engines shake hands.
    public enum Kind {
        /// As a link of Ibidem makes them, of two nodes that had none before.
        OURS("ibidem-tls-full"),
        /// The same, of two that had one.
        AGAIN("ibidem-tls-resumed"),
        /// By contexts that were made once.
        FULL("sslengine-full"),
        /// The same, which take up a session that was.
        RESUMED("sslengine-resumed");

        private final String name;

        Kind(String name) {
            this.name = name;
        }
    }

    @Override
    public String name() {
        return kind.name;
    }

    @Override
    public Waiting waiting() {
        return Waiting.SPIN;
    }

    @Override
    public String about() {
        return switch (kind) {
            case OURS -> "handshakes of TLS as a link makes them, both ends in one process";
            case AGAIN -> "the same of two nodes that have had a link before";
            case FULL -> "handshakes by the JDK alone, with contexts that are made once";
            case RESUMED -> "the same where each takes up the session of the one before";
        };
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() == Measure.Kind.CALL;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var one = Identity.create();
        var other = Identity.create();
        var mine = new TlsKeys(one.towards(other.id()));
        var theirs = new TlsKeys(other.towards(one.id()));
        return new Shaking(
                kind,
                mine,
                theirs,
                mine.towards(theirs.certificate()),
                theirs.towards(mine.certificate()));
    }

    private record Shaking(
            Kind kind, TlsKeys one, TlsKeys other, SSLContext client, SSLContext server)
            implements Player {
        @Override
        public void lead(Measure measure, Burst burst, long[] nanos) throws IOException {
            for (int sample = 0; sample < burst.samples(); sample++) {
                long before = System.nanoTime();
                for (int i = 0; i < burst.times(); i++) {
                    shake(engine(true), engine(false));
                }
                nanos[sample] = System.nanoTime() - before;
            }
        }

        private SSLEngine engine(boolean active) throws IOException {
            var context = active ? client : server;
            return switch (kind) {
                case OURS -> Engines.engine(new Fresh(ours(active)), active, "bench");
                case AGAIN -> Engines.engine(ours(active), active, "bench");
                case FULL -> TlsKeys.mutual(context.createSSLEngine(), active);
                case RESUMED -> TlsKeys.mutual(context.createSSLEngine("peer", PORT), active);
            };
        }

        private Credentials ours(boolean active) {
            return active ? one.own() : other.own();
        }

        @Override
        public void follow(Measure measure, Burst burst) {
            // its core stays idle
        }

        @Override
        public void close() {}
    }

    /// Equal to no others: nothing is kept of what was proved with them.
    private static final class Fresh implements Credentials {
        private final Credentials of;

        Fresh(Credentials of) {
            this.of = of;
        }

        @Override
        public X509Certificate certificate() {
            return of.certificate();
        }

        @Override
        public PrivateKey secret() {
            return of.secret();
        }

        @Override
        public void check(X509Certificate its) throws CertificateException {
            of.check(its);
        }
    }

    /// Until both ends have keys, and the client has read what it can take up later.
    private static void shake(SSLEngine client, SSLEngine server) throws IOException {
        var there = ByteBuffer.allocate(2 * client.getSession().getPacketBufferSize());
        var back = ByteBuffer.allocate(there.capacity());
        var nothing = ByteBuffer.allocate(client.getSession().getApplicationBufferSize());
        client.beginHandshake();
        server.beginHandshake();
        while (isOpen(client) || isOpen(server)) {
            step(client, there, back, nothing);
            step(server, back, there, nothing);
        }
        server.wrap(ByteBuffer.allocate(0), back);
        back.flip();
        while (back.hasRemaining()) {
            client.unwrap(back, nothing.clear());
        }
    }

    private static boolean isOpen(SSLEngine engine) {
        var status = engine.getHandshakeStatus();
        return status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED;
    }

    private static void step(SSLEngine engine, ByteBuffer out, ByteBuffer in, ByteBuffer nothing)
            throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> engine.getDelegatedTask().run();
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                in.flip();
                engine.unwrap(in, nothing.clear());
                in.compact();
            }
            default -> {
                // it is done
            }
        }
    }
}
