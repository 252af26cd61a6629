package org.ibidem.link.udp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.config.AddressFamilies;
import org.ibidem.config.NativeChannels;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The one socket of a node, which all its paths of datagrams share. Whoever waits for one of them
/// reads it for all; when nobody does, the node's arbitration does.
final class UdpSocket implements Progress, AutoCloseable {
    /// Packets taken in one go, lest one path's reader works for all others for ever.
    private static final int MOST_AT_ONCE = 64;

    /// Of the kernel, for what arrives while nobody looks.
    private static final int KERNEL_BUFFER = 1 << 20;

    /// Paths at a time, those that have proved nothing included.
    private static final int MOST_PATHS = 1 << 16;

    private static final System.Logger LOG = System.getLogger(UdpSocket.class.getName());

    private final DatagramChannel channel;
    private final int port;
    private final Tasks tasks;
    private final Consumer<UdpPath> visitors;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, UdpPath> paths = new ConcurrentHashMap<>();

    /// Paths that others have begun, so that a word that is repeated begins none.
    private final Map<Origin, UdpPath> begun = new ConcurrentHashMap<>();

    private final ReentrantLock reading = new ReentrantLock();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(1 << 16);
    private Tasks.@Nullable Driven driven;
    private volatile boolean closed;

    /// Who has begun a path.
    ///
    /// @param number by which he calls it
    private record Origin(SocketAddress from, long number) {}

    private UdpSocket(DatagramChannel channel, Tasks tasks, Consumer<UdpPath> visitors)
            throws IOException {
        this.channel = channel;
        this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        this.tasks = tasks;
        this.visitors = visitors;
    }

    /// Opens one on a free port.
    ///
    /// @param open on all addresses of this machine; else on the loopback address
    /// @param visitors get the paths that others begin
    static UdpSocket open(boolean open, Tasks tasks, Consumer<UdpPath> visitors)
            throws IOException {
        var channel = NativeChannels.provider().openDatagramChannel();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BUFFER);
            channel.bind(
                    open
                            ? new InetSocketAddress(0)
                            : new InetSocketAddress(AddressFamilies.loopback(), 0));
            return new UdpSocket(channel, tasks, visitors);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    int port() {
        return port;
    }

    Tasks tasks() {
        return tasks;
    }

    /// Reads from now on, whoever waits or not.
    synchronized void attend() {
        if (driven == null && !closed) {
            driven = tasks.drive("datagrams", this);
        }
    }

    /// Begins a path.
    ///
    /// @throws IOException also when this JVM has no addresses of that family
    UdpPath begin(InetSocketAddress to) throws IOException {
        AddressFamilies.require(to);
        attend();
        return enter(to, 0);
    }

    private UdpPath enter(SocketAddress to, long theirs) throws IOException {
        if (closed) {
            throw new IOException("this node's socket for datagrams was closed");
        }
        if (paths.size() >= MOST_PATHS) {
            throw new IOException("this node has " + MOST_PATHS + " paths of datagrams already");
        }
        while (true) {
            long number = random.nextLong();
            var path = new UdpPath(this, number, to, theirs);
            if (number != 0 && paths.putIfAbsent(number, path) == null) {
                return path;
            }
        }
    }

    void leave(UdpPath path) {
        paths.remove(path.number(), path);
        if (path.visitor() != 0) {
            begun.remove(new Origin(path.remote(), path.visitor()), path);
        }
    }

    /// Sends a packet; may be called by several threads.
    ///
    /// @return false: BUSY
    /// @throws IOException when it cannot be sent; later ones may
    boolean send(ByteBuffer from, SocketAddress to) throws IOException {
        return channel.send(from, to) > 0;
    }

    /// Takes what has come and hands it to the paths; nothing where somebody else just does.
    void look() {
        if (closed || !reading.tryLock()) {
            return;
        }
        try {
            for (int i = 0; i < MOST_AT_ONCE && next(); i++) {
                // the next one
            }
        } finally {
            reading.unlock();
        }
    }

    private boolean next() {
        try {
            var from = channel.receive(packet.clear());
            if (from == null) {
                return false;
            }
            take(packet.flip(), from);
        } catch (IOException e) {
            if (closed) {
                return false;
            }
            LOG.log(System.Logger.Level.DEBUG, "a datagram could not be taken", e);
        }
        return true;
    }

    /// Hands one packet to its path. Whatever is in it.
    void take(ByteBuffer bytes, SocketAddress from) {
        var read = Packet.read(bytes);
        if (read == null) {
            return;
        }
        var path = read.to() == 0 ? visitor(read, from) : paths.get(read.to());
        if (path != null && path.remote().equals(from)) {
            path.arrived(read, bytes);
        }
    }

    private @Nullable UdpPath visitor(Packet read, SocketAddress from) {
        if (read.kind() != Packet.WORD || read.from() == 0) {
            return null;
        }
        var origin = new Origin(from, read.from());
        var there = begun.get(origin);
        if (there != null || read.number() != 0) {
            return there;
        }
        try {
            var path = enter(from, read.from());
            begun.put(origin, path);
            visitors.accept(path);
            return path;
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a path is not begun: {0}", e.getMessage());
            return null;
        }
    }

    @Override
    public long progress(long now) {
        look();
        return IDLE;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        List.copyOf(paths.values()).forEach(UdpPath::close);
        closed = true;
        Tasks.Driven was;
        synchronized (this) {
            was = driven;
            driven = null;
        }
        if (was != null) {
            was.stop();
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "closing a socket failed", e);
        }
    }
}
