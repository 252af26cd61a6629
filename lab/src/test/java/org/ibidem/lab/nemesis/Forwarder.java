package org.ibidem.lab.nemesis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Takes connections and carries them on to the hub, as `ssh -L` does, until it is told otherwise.
final class Forwarder implements AutoCloseable {
    private final String name;
    private final int hubPort;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean silent;
    private volatile boolean deaf;

    Forwarder(String name, int hubPort) throws IOException {
        this.name = name;
        this.hubPort = hubPort;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::take);
    }

    String name() {
        return name;
    }

    int port() {
        return listening.getLocalPort();
    }

    /// Carries nothing, in neither direction, and keeps what there is; or goes on.
    void silent(boolean now) {
        lock.lock();
        try {
            silent = now;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Loses what the hub says; connections that have lost something are of no use afterwards.
    void deaf(boolean now) {
        deaf = now;
    }

    /// Ends all connections as if a machine on the way had been started anew.
    void reset() {
        open.forEach(Forwarder::reset);
        open.clear();
    }

    /// Ends all connections in order and without a word.
    void end() {
        for (var socket : open) {
            try {
                socket.close();
            } catch (IOException _) {
                // it is closed
            }
        }
        open.clear();
    }

    private void take() {
        try {
            while (true) {
                var near = listening.accept();
                open.add(near);
                Thread.ofVirtual().start(() -> connect(near));
            }
        } catch (IOException _) {
            // it is closed
        }
    }

    private void connect(Socket near) {
        var far = new Socket();
        try {
            awaitVoice();
            far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), hubPort));
            far.setTcpNoDelay(true);
            near.setTcpNoDelay(true);
            open.add(far);
            Thread.ofVirtual().start(() -> carry(near, far, false));
            carry(far, near, true);
        } catch (IOException _) {
            drop(near);
        }
    }

    private void carry(Socket from, Socket to, boolean ofHub) {
        try {
            var buffer = new byte[64 * 1024];
            for (int got; (got = from.getInputStream().read(buffer)) > 0; ) {
                awaitVoice();
                if (!ofHub || !deaf) {
                    to.getOutputStream().write(buffer, 0, got);
                }
            }
            awaitVoice();
            open.remove(to);
            open.remove(from);
            to.close();
            from.close();
        } catch (IOException _) {
            drop(from);
            drop(to);
        }
    }

    private void awaitVoice() {
        lock.lock();
        try {
            while (silent) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
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
        silent(false);
        reset();
    }
}
