package org.ibidem.wrap;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.personality.vio.VioSocket;

/// Carries bytes between a socket of a program on this machine and a VLink, each direction until
/// its end. What one side does is done to the other: ends, closing in order, resets.
final class Bridge {
    private static final int BYTES = 32 << 10;

    /// Connections of one agent in each direction; each costs two buffers.
    static final int MOST = 4_096;

    private final SocketChannel near;
    private final VioSocket far;
    private final Runnable ended;
    private final AtomicInteger open = new AtomicInteger(2);

    private Bridge(SocketChannel near, VioSocket far, Runnable ended) {
        this.near = near;
        this.far = far;
        this.ended = ended;
    }

    /// Carries from now on.
    ///
    /// @param ended called once both directions are over
    static void start(SocketChannel near, VioSocket far, Runnable ended) {
        try {
            near.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException _) {
            // it is gone already, which the first read says again
        }
        var bridge = new Bridge(near, far, ended);
        Thread.ofVirtual().name("outward").start(bridge::outward);
        Thread.ofVirtual().name("inward").start(bridge::inward);
    }

    private void outward() {
        var bytes = ByteBuffer.allocateDirect(BYTES);
        try {
            while (near.read(bytes) >= 0) {
                far.write(bytes.flip());
                bytes.clear();
            }
            far.shutdownOutput();
        } catch (IOException e) {
            broken(e);
        } finally {
            over();
        }
    }

    private void inward() {
        var bytes = ByteBuffer.allocateDirect(BYTES);
        try {
            while (far.read(bytes, 0) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    near.write(bytes);
                }
                bytes.clear();
            }
            near.shutdownOutput();
        } catch (IOException e) {
            broken(e);
        } finally {
            over();
        }
    }

    private void over() {
        if (open.decrementAndGet() == 0) {
            far.close();
            close(near);
            ended.run();
        }
    }

    /// One side is gone: the other is reset. The second thread finds both closed.
    private void broken(IOException why) {
        far.abort(String.valueOf(why.getMessage()));
        reset(near);
    }

    /// Closes a socket so that its peer gets a reset.
    static void reset(SocketChannel socket) {
        try {
            socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException _) {
            // closed already
        }
        close(socket);
    }

    static void close(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // nothing of it is needed any more
        }
    }
}
