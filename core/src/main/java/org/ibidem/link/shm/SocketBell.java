package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import org.ibidem.link.RingLink;

/// The doorbell between two processes: a byte on a socket. The kernel ends the stream when the peer
/// dies, however it dies.
final class SocketBell implements RingLink.Peer {
    private static final int MANY = 64;

    private final SocketChannel socket;
    private final Arena arena;
    private final ByteBuffer taken = ByteBuffer.allocateDirect(MANY);
    private final ByteBuffer ring = ByteBuffer.allocateDirect(1);

    SocketBell(SocketChannel socket, Arena arena) {
        this.socket = socket;
        this.arena = arena;
    }

    /// At most one byte for each sleep of the reader and of the writer is ever on its way, so there
    /// is always room for it.
    @Override
    public void wake() {
        synchronized (ring) {
            try {
                ring.clear();
                socket.write(ring);
            } catch (IOException e) {
                log(e); // the peer is gone: its end of stream says so to whoever reads or waits
            }
        }
    }

    @Override
    public int drain() {
        synchronized (taken) {
            try {
                int rings = 0;
                while (true) {
                    taken.clear();
                    int got = socket.read(taken);
                    if (got < 0) {
                        return -1;
                    }
                    rings += got;
                    if (got < MANY) {
                        return rings;
                    }
                }
            } catch (IOException e) {
                log(e);
                return -1;
            }
        }
    }

    @Override
    public SelectableChannel channel() {
        return socket;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            log(e);
        }
        arena.close();
    }

    private static void log(IOException e) {
        System.getLogger(SocketBell.class.getName())
                .log(System.Logger.Level.DEBUG, "doorbell socket: {0}", e.getMessage());
    }
}
