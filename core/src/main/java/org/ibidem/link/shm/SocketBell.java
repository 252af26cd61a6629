package org.ibidem.link.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.RingPlace;
import org.ibidem.link.RingLink;
import org.ibidem.link.SleepyChannel;
import org.jspecify.annotations.Nullable;

/// The doorbell between two processes: a byte on a socket. The kernel ends the stream when the peer
/// dies, however it dies.
final class SocketBell implements RingLink.Peer {
    private static final int MANY = 64;

    private final SocketChannel socket;
    private final Segment segment;
    private final ByteBuffer taken = ByteBuffer.allocateDirect(MANY);
    private final ByteBuffer ring = ByteBuffer.allocateDirect(1);

    /// Where the other end says that it sets the bit of this end; null: there is none.
    private final @Nullable ReadySlot ready;

    SocketBell(SocketChannel socket, Segment segment, @Nullable ReadySlot ready) {
        this.socket = socket;
        this.segment = segment;
        this.ready = ready;
    }

    @Override
    public @Nullable ReadyBit announced() {
        var mine = ready;
        return mine != null && mine.place().told() ? mine.bit() : null;
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

    /// Reads once: a peer that rings without end shall not keep us here. What is left makes the
    /// next sleep short.
    @Override
    public int drain() {
        synchronized (taken) {
            try {
                taken.clear();
                return socket.read(taken);
            } catch (IOException e) {
                log(e);
                return -1;
            }
        }
    }

    /// What no selector takes says itself when the other end rang, to this end's sleepers. It may
    /// have rung before.
    RingLink rings(RingLink link) {
        if (socket instanceof SleepyChannel itself) {
            itself.readable().bell(link::heard);
            if (!itself.readable().arm()) {
                link.heard();
            }
        }
        return link;
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return socket instanceof SleepyChannel ? null : socket;
    }

    /// An interrupt in a file's channel closes it, and the ring could never grow again; in a
    /// socket's that does not block it does nothing.
    @Override
    public boolean reserve(RingPlace place) {
        boolean interrupted = Thread.interrupted();
        try {
            return segment.reserve(place);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        segment.close();
        if (ready != null) {
            ready.free();
        }
        try {
            socket.close();
        } catch (IOException e) {
            log(e);
        }
    }

    private static void log(IOException e) {
        System.getLogger(SocketBell.class.getName())
                .log(System.Logger.Level.DEBUG, "doorbell socket: {0}", e.getMessage());
    }
}
