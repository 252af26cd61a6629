package org.ibidem.authority;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.arbitration.Threads;

/// Takes connections, carries them on to a hub, and keeps what goes over them. Alters it, where
/// that is asked for.
final class Recorder implements AutoCloseable {
    private static final byte APPLICATION_DATA = 23;

    private final Threads tasks = new Threads("recorder");
    private final ServerSocketChannel listening;
    private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

    /// Whether the next bytes to the hub, and those that come from it, are to be altered.
    private final AtomicBoolean there = new AtomicBoolean();

    private final AtomicBoolean back = new AtomicBoolean();

    Recorder(int hub) throws IOException {
        listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        tasks.start("take", () -> take(hub));
    }

    int port() {
        return listening.socket().getLocalPort();
    }

    /// Whether this went over a connection as it is.
    boolean heard(String word) {
        synchronized (heard) {
            return heard.toString(StandardCharsets.ISO_8859_1).contains(word);
        }
    }

    /// Bytes that went over all of them.
    int size() {
        synchronized (heard) {
            return heard.size();
        }
    }

    private void take(int hub) {
        try {
            while (true) {
                var near = listening.accept();
                var far =
                        SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), hub));
                tasks.start("there", () -> carry(near, far, there));
                tasks.start("back", () -> carry(far, near, back));
            }
        } catch (IOException _) {
            // closed
        }
    }

    /// Flips a bit of the next that is said under TLS, once.
    void alter(boolean toHub) {
        (toHub ? there : back).set(true);
    }

    private void carry(SocketChannel from, SocketChannel to, AtomicBoolean altered) {
        var buffer = ByteBuffer.allocate(1 << 16);
        try (from;
                to) {
            while (from.read(buffer.clear()) >= 0) {
                synchronized (heard) {
                    heard.write(buffer.array(), 0, buffer.position());
                }
                if (buffer.array()[0] == APPLICATION_DATA && altered.getAndSet(false)) {
                    buffer.array()[buffer.position() - 1] ^= 1;
                }
                for (buffer.flip(); buffer.hasRemaining(); ) {
                    to.write(buffer);
                }
            }
        } catch (IOException _) {
            // one of the two has ended it
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        tasks.close();
    }
}
