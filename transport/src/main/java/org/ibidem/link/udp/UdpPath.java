package org.ibidem.link.udp;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.buffer.ByteQueue;
import org.ibidem.link.DatagramPath;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Signal;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// One peer's share of the node's socket. What has come and was not read waits here, so much at
/// most; what comes beyond that is lost, as the network may lose it.
final class UdpPath implements DatagramPath {
    private static final int MOST_WAITING = 512 << 10;
    private static final int LENGTH = Short.BYTES;

    private final UdpSocket socket;
    private final long number;
    private final SocketAddress remote;
    private final long visitor;
    private final Allowance allowance;
    private final UdpWords words;
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteQueue in = new ByteQueue(MOST_WAITING, MOST_WAITING);
    private final ByteBuffer length = ByteBuffer.allocate(LENGTH);

    /// By which number the other end calls the path; 0 while that is not known.
    private volatile long theirs;

    private @Nullable String over;
    private volatile boolean open = true;

    /// Whoever takes from the socket what has come rings.
    private final Signal reading = new Signal(lock, () -> in.size() == 0 && open && over == null);

    /// @param number by which this end calls it
    /// @param theirs by which the other end does, who has begun it, or 0
    UdpPath(UdpSocket socket, long number, SocketAddress remote, long theirs) {
        this.socket = socket;
        this.number = number;
        this.remote = remote;
        this.visitor = theirs;
        this.theirs = theirs;
        this.allowance = new Allowance(theirs == 0);
        this.words = new UdpWords(this, socket.tasks());
    }

    long number() {
        return number;
    }

    /// By which number the other end calls it who has begun it, or 0.
    long visitor() {
        return visitor;
    }

    @Override
    public SocketAddress remote() {
        return remote;
    }

    @Override
    public ByteChannel words() {
        return words;
    }

    @Override
    public int header() {
        return Packet.SHORT_HEADER;
    }

    @Override
    public int largest() {
        return Udp.MOST - Packet.SHORT_HEADER;
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        requireThere();
        int begin = from.position();
        Packet.data(from, theirs);
        from.position(begin);
        return sent(from);
    }

    /// What the network does not take is lost, as what it loses.
    private boolean sent(ByteBuffer from) throws IOException {
        if (!allowance.take(from.remaining())) {
            from.position(from.limit());
            return true;
        }
        try {
            return socket.send(from, remote);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            System.getLogger(UdpPath.class.getName())
                    .log(System.Logger.Level.DEBUG, "a datagram was lost: {0}", e.getMessage());
            from.position(from.limit());
            return true;
        }
    }

    private void requireThere() throws IOException {
        if (!open) {
            throw new ClosedChannelException();
        }
        var why = over;
        if (why != null) {
            throw new IOException(why);
        }
    }

    /// Sends a word, or that one was heard.
    ///
    /// @return false when the other end has to prove first that it hears
    /// @throws IOException when the system cannot send it
    boolean say(int kind, int which, byte[] bytes) throws IOException {
        var out = ByteBuffer.allocate(Packet.LONG_HEADER + bytes.length);
        new Packet(kind, which, theirs, number).write(out);
        out.put(bytes).flip();
        boolean may = allowance.take(out.remaining());
        if (may) {
            socket.send(out, remote);
        }
        return may;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int got = take(into);
        if (got < 0) {
            socket.look();
            got = take(into);
        }
        if (got < 0) {
            requireThere();
        }
        return got;
    }

    private int take(ByteBuffer into) {
        lock.lock();
        try {
            if (in.size() == 0) {
                return -1;
            }
            in.get(length.clear(), LENGTH);
            int bytes = Short.toUnsignedInt(length.getShort(0));
            in.get(into, bytes);
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    /// A packet of this path, from its other end.
    ///
    /// @param payload from the position on; the packet begins at 0
    void arrived(Packet packet, ByteBuffer payload) {
        allowance.came(payload.limit());
        if (packet.to() == number && allowance.prove()) {
            words.proved();
        }
        if (packet.from() != 0 && theirs == 0) {
            theirs = packet.from();
        }
        switch (packet.kind()) {
            case Packet.WORD -> words.arrived(packet, payload);
            case Packet.HEARD -> words.heard(packet.number());
            case Packet.DATA -> store(payload);
            default -> over("the other end has closed it");
        }
    }

    private void store(ByteBuffer payload) {
        lock.lock();
        try {
            int bytes = payload.remaining();
            if (in.room() >= LENGTH + bytes && open) {
                in.put(length.clear().putShort(0, (short) bytes));
                in.put(payload);
                reading.ring();
            }
        } finally {
            lock.unlock();
        }
    }

    private void over(String why) {
        lock.lock();
        try {
            if (over == null) {
                over = why;
            }
            reading.ring();
        } finally {
            lock.unlock();
        }
        words.over();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (!open) {
                return;
            }
            open = false;
            in.clear();
            reading.ring();
        } finally {
            lock.unlock();
        }
        words.over();
        socket.leave(this);
        if (theirs != 0 && over == null) {
            try {
                var out = ByteBuffer.allocate(Packet.SHORT_HEADER);
                new Packet(Packet.OVER, 0, theirs, 0).write(out);
                sent(out.flip());
            } catch (IOException _) {
                // lost, as the network may lose it
            }
        }
    }

    @Override
    public Waitable readable() {
        return reading;
    }

    @Override
    public Waitable writable() {
        return new Ready(socket.channel());
    }

    /// The kernel remembers whether there is room.
    private record Ready(SelectableChannel channel) implements Waitable {
        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public int interest() {
            return SelectionKey.OP_WRITE;
        }

        @Override
        public void bell(Doorbell bell) {}
    }
}
