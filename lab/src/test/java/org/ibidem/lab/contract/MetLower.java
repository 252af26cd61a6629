package org.ibidem.lab.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.config.AddressFamilies;
import org.ibidem.connect.SocketPath;
import org.ibidem.connect.routed.Trunk;
import org.ibidem.connect.routed.TrunkEnds;
import org.ibidem.identity.Identity;
import org.ibidem.link.Credentials;
import org.ibidem.link.DatagramPath;
import org.ibidem.link.Datagrams;
import org.ibidem.link.ForwardedLower;
import org.ibidem.link.Path;
import org.ibidem.link.StreamPath;
import org.ibidem.link.TestLower;
import org.ibidem.stack.Domains;
import org.ibidem.topology.NodeId;

/// What lies below one of two ends that meet in one JVM: an own loopback connection to the other, a
/// stream over it, or a path of datagrams.
final class MetLower extends ForwardedLower implements AutoCloseable {
    private static final Identity ONE = Identity.create();
    private static final Identity OTHER = Identity.create();
    private static final NodeId ACTIVE = ONE.id();
    private static final NodeId PASSIVE = OTHER.id();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final StreamPath stream;
    private final Domains domains;
    private final BlockingQueue<Path> arrived = new LinkedBlockingQueue<>();
    private final BlockingQueue<Trunk> trunks = new LinkedBlockingQueue<>();
    private final CompletableFuture<Consumer<StreamPath>> takes;

    private MetLower(TestLower below, CompletableFuture<Consumer<StreamPath>> takes) {
        super(below);
        stream = below.stream();
        domains = new Domains(Pair.CATALOG, below.tasks(), false);
        this.takes = takes;
        domains.able(Datagrams.class).forEach(each -> each.welcome(arrived::add));
    }

    /// Both ends of one link.
    static MetLower[] pair() throws IOException {
        var takes = new CompletableFuture<Consumer<StreamPath>>();
        var ends = TestLower.pair();
        return new MetLower[] {new MetLower(ends[0], takes), new MetLower(ends[1], takes)};
    }

    Domains domains() {
        return domains;
    }

    @Override
    public StreamPath stream() {
        return stream;
    }

    /// As between two nodes, whose trunks carry many.
    @Override
    public StreamPath shared() throws IOException {
        stream.blocking(true);
        var ends =
                new TrunkEnds(active() ? ACTIVE : PASSIVE, active() ? PASSIVE : ACTIVE, active());
        var trunk = new Trunk(stream, ends, tasks(), arrived::add);
        trunks.add(trunk);
        tasks().start("shared connection", trunk::run);
        try {
            var made = active() ? trunk.open(PASSIVE, LIMIT) : (StreamPath) next();
            made.blocking(false);
            return made;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    /// Over fresh loopback connections, as soon as the other end takes them.
    @Override
    public Again again(Consumer<StreamPath> arrived) {
        if (!active()) {
            takes.complete(arrived);
        }
        return new Again() {
            @Override
            public StreamPath stream() throws IOException {
                try (var server = ServerSocketChannel.open()) {
                    server.bind(new InetSocketAddress(AddressFamilies.loopback(), 0));
                    var one = SocketChannel.open(server.getLocalAddress());
                    var other = server.accept();
                    one.configureBlocking(false);
                    other.configureBlocking(false);
                    takes.join().accept(new SocketPath(other));
                    return new SocketPath(one);
                }
            }

            @Override
            public void close() {}
        };
    }

    /// The port is told over the connection, as nodes tell it when they join.
    @Override
    public DatagramPath datagrams() throws IOException {
        stream.blocking(true);
        try {
            if (!active()) {
                stream.write(ByteBuffer.allocate(Integer.BYTES).putInt(port()).flip());
                var path = (DatagramPath) next();
                path.words().read(ByteBuffer.allocate(1));
                return path;
            }
            var port = ByteBuffer.allocate(Integer.BYTES);
            while (port.hasRemaining() && stream.read(port) >= 0) {
                // until it is here
            }
            var to = new InetSocketAddress(AddressFamilies.loopback(), port.getInt(0));
            var path = domains.able(Datagrams.class).findFirst().orElseThrow().begin(to);
            path.words().write(ByteBuffer.allocate(1));
            return path;
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        } finally {
            stream.blocking(false);
        }
    }

    private int port() {
        return Integer.parseInt(domains.places().get("udp"));
    }

    private Path next() throws IOException, InterruptedException {
        var path = arrived.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
        if (path == null) {
            throw new IOException("none has come");
        }
        return path;
    }

    @Override
    public void close() {
        trunks.forEach(Trunk::close);
        domains.close();
        stream.close();
    }

    @Override
    public Credentials credentials() {
        return active() ? ONE.towards(PASSIVE) : OTHER.towards(ACTIVE);
    }
}
