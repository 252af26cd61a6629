package org.ibidem.lab.bench.peers;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.ibidem.lab.bench.Contestant;
import org.ibidem.lab.bench.End;
import org.ibidem.lab.bench.Loop;
import org.ibidem.lab.bench.Measure;
import org.ibidem.lab.bench.Meeting;
import org.ibidem.lab.bench.Payload;
import org.ibidem.lab.bench.Player;
import org.jspecify.annotations.Nullable;

/// A `SocketChannel`, an `SSLEngine` and direct buffers: what a program without anything else does
/// to speak TLS 1.3, mutual, over TCP.
///
/// @param waiting in which way it waits for bytes or room
public record TlsSocket(Waiting waiting) implements Contestant {
    private static final int LARGEST_SENT = 1 << 20;
    private static final int RECORDS = 8;

    @Override
    public String name() {
        return "sslengine-" + waiting.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String about() {
        return "SSLEngine over a SocketChannel, direct buffers, eight records at a time";
    }

    @Override
    public boolean plays(Measure measure) {
        return measure.kind() == Measure.Kind.PING_PONG || measure.kind() == Measure.Kind.BANDWIDTH;
    }

    @Override
    public Player open(Meeting meeting) throws IOException {
        var keys = TlsKeys.create();
        var channel = meeting.socket();
        try {
            var der = keys.certificate().getEncoded();
            meeting.tell(Base64.getEncoder().encodeToString(der));
            var context = keys.towards(read(meeting.hear()));
            var engine = TlsKeys.mutual(context.createSSLEngine(), meeting.leads());
            channel.configureBlocking(waiting == Waiting.BLOCK);
            var key =
                    waiting == Waiting.SELECT
                            ? channel.register(Selector.open(), SelectionKey.OP_READ)
                            : null;
            var end = new Sealed(channel, key, engine);
            end.shake();
            return new Loop(end);
        } catch (CertificateException e) {
            throw new IOException(e);
        }
    }

    private static Certificate read(String text) throws CertificateException {
        var der = new ByteArrayInputStream(Base64.getDecoder().decode(text));
        return CertificateFactory.getInstance("X.509").generateCertificate(der);
    }

    private static final class Sealed implements End {
        private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

        private final SocketChannel channel;
        private final @Nullable SelectionKey key;
        private final SSLEngine engine;
        private final Image image = new Image();
        private final ByteBuffer plain = Image.buffer(LARGEST_SENT);
        private final ByteBuffer out;
        private final ByteBuffer in;
        private ByteBuffer clear;

        private Sealed(SocketChannel channel, @Nullable SelectionKey key, SSLEngine engine) {
            this.channel = channel;
            this.key = key;
            this.engine = engine;
            int record = engine.getSession().getPacketBufferSize();
            out = ByteBuffer.allocateDirect(RECORDS * record);
            in = ByteBuffer.allocateDirect(RECORDS * record).limit(0);
            clear = Image.buffer(LARGEST_SENT + 2 * record).limit(0);
        }

        private void shake() throws IOException {
            engine.beginHandshake();
            var status = engine.getHandshakeStatus();
            while (status != HandshakeStatus.NOT_HANDSHAKING
                    && status != HandshakeStatus.FINISHED) {
                switch (status) {
                    case NEED_TASK -> engine.getDelegatedTask().run();
                    case NEED_WRAP -> {
                        engine.wrap(NOTHING, out);
                        drain();
                    }
                    default -> {
                        if (engine.unwrap(in, NOTHING).getStatus() == Status.BUFFER_UNDERFLOW) {
                            fill();
                        }
                    }
                }
                status = engine.getHandshakeStatus();
            }
        }

        @Override
        public void send(Payload payload) throws IOException {
            image.size(payload);
            plain.clear();
            image.put(payload, plain);
            plain.flip();
            while (plain.hasRemaining()) {
                while (plain.hasRemaining()
                        && out.remaining() >= engine.getSession().getPacketBufferSize()) {
                    engine.wrap(plain, out);
                }
                drain();
            }
        }

        private void drain() throws IOException {
            out.flip();
            channel.write(out);
            while (out.hasRemaining()) {
                await(SelectionKey.OP_WRITE);
                channel.write(out);
            }
            out.clear();
        }

        @Override
        public void receive(Payload payload) throws IOException {
            int wanted = Image.head(payload);
            while (clear.remaining() < wanted) {
                clear.compact();
                var status = engine.unwrap(in, clear).getStatus();
                clear.flip();
                if (status == Status.BUFFER_UNDERFLOW) {
                    fill();
                } else if (status != Status.OK) {
                    throw new IOException("TLS says " + status);
                }
            }
            Image.get(payload, clear);
        }

        private void fill() throws IOException {
            in.compact();
            int read = channel.read(in);
            while (read == 0) {
                await(SelectionKey.OP_READ);
                read = channel.read(in);
            }
            in.flip();
            if (read < 0) {
                throw new EOFException();
            }
        }

        private void await(int interest) throws IOException {
            if (key != null) {
                if (key.interestOps() != interest) {
                    key.interestOps(interest);
                }
                key.selector().select(_ -> {});
            }
        }

        @Override
        public void close() throws IOException {
            if (key != null) {
                key.selector().close();
            }
            channel.close();
        }
    }
}
