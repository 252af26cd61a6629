package org.ibidem.lab.budget;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.ibidem.identity.Identity;
import org.ibidem.tls.Engines;

/// What two engines of the JDK allocate, with nothing else around them.
final class BareTls {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /// Until the compiler is done with it, whatever else it has to do.
    private static final int ROUNDS = 40;

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer there;
    private final ByteBuffer back;

    private BareTls() throws IOException {
        var one = Identity.create();
        var other = Identity.create();
        client = Engines.engine(one.towards(other.id()), true, "bare");
        server = Engines.engine(other.towards(one.id()), false, "bare");
        int record = client.getSession().getPacketBufferSize();
        there = ByteBuffer.allocateDirect(8 * record);
        back = ByteBuffer.allocateDirect(8 * record);
    }

    /// Bytes that are allocated for encrypting and decrypting so much so often: the least of some
    /// rounds.
    static long bytes(int size, int count) throws IOException {
        var bare = new BareTls();
        bare.shake();
        var from = ByteBuffer.allocateDirect(size);
        var into = ByteBuffer.allocateDirect(size + (1 << 15));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < count; i++) {
                bare.carry(from.clear(), into.clear());
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    private void carry(ByteBuffer from, ByteBuffer into) throws IOException {
        there.clear();
        while (from.hasRemaining()) {
            client.wrap(from, there);
        }
        there.flip();
        while (there.hasRemaining()) {
            server.unwrap(there, into);
        }
    }

    private void shake() throws IOException {
        client.beginHandshake();
        server.beginHandshake();
        there.limit(0);
        back.limit(0);
        while (isShaking(client) || isShaking(server)) {
            step(client, back, there);
            step(server, there, back);
        }
    }

    private static boolean isShaking(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> engine.getDelegatedTask().run();
            case NEED_WRAP -> {
                out.compact();
                engine.wrap(NOTHING, out);
                out.flip();
            }
            default -> engine.unwrap(in, NOTHING);
        }
    }
}
