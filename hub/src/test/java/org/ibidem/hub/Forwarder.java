package org.ibidem.hub;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;

/// Takes connections and carries them on to a hub, as `ssh -L` and proxies do; ends them as it is
/// told.
final class Forwarder implements AutoCloseable {
    private final Threads tasks = new Threads("forwarder");
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong cut = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong taken = new AtomicLong();
    private volatile boolean deaf;

    Forwarder(int hubPort) throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        tasks.start("take", () -> take(hubPort));
    }

    int port() {
        return listening.getLocalPort();
    }

    /// How many connections it has taken.
    long taken() {
        return taken.get();
    }

    /// Resets a connection once, when the hub has said so many bytes on it: those arrive.
    void cutAfter(long bytes) {
        cut.set(bytes);
    }

    /// Whether that has happened.
    boolean hasCut() {
        return cut.get() == Long.MAX_VALUE;
    }

    /// Keeps what the hub says to itself from now on, or no longer.
    void deaf(boolean now) {
        deaf = now;
    }

    /// Resets all connections that there are.
    void reset() {
        open.forEach(Forwarder::reset);
    }

    /// Ends all connections that there are, in order and without a word.
    void end() throws IOException {
        for (var socket : open) {
            socket.close();
        }
    }

    private void take(int hubPort) {
        try {
            while (true) {
                var near = listening.accept();
                taken.incrementAndGet();
                open.add(near);
                tasks.start("connect", () -> connect(near, hubPort));
            }
        } catch (IOException _) {
            // the test is over
        }
    }

    private void connect(Socket near, int hubPort) {
        var far = new Socket();
        try {
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), hubPort));
            far.setTcpNoDelay(true);
            near.setTcpNoDelay(true);
            open.add(far);
            tasks.start("to the hub", () -> carry(near, far, false));
            carry(far, near, true);
        } catch (IOException _) {
            reset(near);
        }
    }

    private void carry(Socket from, Socket to, boolean ofHub) {
        try {
            var buffer = new byte[64 * 1024];
            long carried = 0;
            for (int got; (got = from.getInputStream().read(buffer)) > 0; carried += got) {
                long left = cut.get() - carried;
                if (ofHub && left <= got) {
                    cut.set(Long.MAX_VALUE);
                    to.getOutputStream().write(buffer, 0, (int) left);
                    break;
                }
                if (!ofHub || !deaf) {
                    to.getOutputStream().write(buffer, 0, got);
                }
            }
        } catch (IOException _) {
            // as if it were reset
        }
        List.of(from, to).forEach(this::drop);
    }

    private void drop(Socket socket) {
        open.remove(socket);
        reset(socket);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException _) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        reset();
        tasks.close();
    }
}
