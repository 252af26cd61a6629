package org.ibidem.lab.badday;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.personality.nio.IbidemSelectorProvider;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.ibidem.vlink.VLinkListener;
import org.ibidem.vlink.VLinks;

/// Answers streams of bytes with the same bytes, in a process of its own ([Other]): a thread for
/// each, or one thread that selects. It also takes some that it never reads.
final class StreamServer {
    /// A thread of each stream sleeps on it.
    static final String SLEEPING = "sleeping";

    /// Nobody reads these.
    static final String SILENT = "silent";

    /// What its JVM needs to have channels of its own.
    static final List<String> OPTIONS = List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");

    private static final int MANY = 100;
    private static final int BYTES = 10_000;

    private StreamServer() {}

    /// What it says of itself: its node, and the port to which one thread selects all streams.
    record Address(NodeId id, int rank, int port) {
        static Address parse(String said) {
            var words = said.split(" ", -1);
            return new Address(
                    NodeId.parse(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
    }

    /// `HUB`: joins pool `demo`, says `ready ID RANK PORT`, and ends when its parent does.
    public static void main(String[] arguments) throws IOException {
        var join = Join.pool("demo").hub("localhost:" + arguments[0]).limit(Duration.ofSeconds(30));
        var node = Node.join(join);
        int port = port(serve(node));
        System.out.println("ready " + node.id() + " " + node.rank() + " " + port);
        while (System.in.read() >= 0) {}
        Runtime.getRuntime().halt(0);
    }

    /// Serves from this node until it is closed.
    ///
    /// @return one thread selects all streams to this port
    static ServerSocketChannel serve(Node node) throws IOException {
        var sleeping = VLinks.of(node).listen(SLEEPING, VLinks.ANY, MANY);
        var silent = VLinks.of(node).listen(SILENT, VLinks.ANY, MANY);
        var selected = provider(node).openServerSocketChannel();
        selected.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MANY);
        begin(() -> {
            while (true) {
                var one = next(sleeping);
                begin(() -> answer(one));
            }
        });
        begin(() -> {
            while (true) {
                next(silent); // its node keeps it
            }
        });
        begin(() -> answer(selected));
        return selected;
    }

    static int port(ServerSocketChannel selected) throws IOException {
        return ((InetSocketAddress) selected.getLocalAddress()).getPort();
    }

    /// Connects a channel of a node, without blocking, to what [#serve] has given.
    static SocketChannel connect(Node node, String stack, int rank, int port) throws IOException {
        var channel = provider(node).openSocketChannel();
        var host = rank + (stack.equals("shm") ? ".near" : ".far");
        channel.connect(InetSocketAddress.createUnresolved(host, port));
        channel.configureBlocking(false);
        return channel;
    }

    /// Channels of a node that reach rank R over shared memory as `R.near`, over TCP as `R.far`.
    static IbidemSelectorProvider provider(Node node) {
        var rules = Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
        var sockets = new Sockets(() -> node, rules);
        return new IbidemSelectorProvider(() -> sockets);
    }

    /// Until the process ends, or its node.
    private static void begin(Background.Action serves) {
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try {
                        serves.run();
                    } catch (Exception e) {
                        System.out.println("ended " + e);
                    }
                });
    }

    private static VioSocket next(VLinkListener listener) throws IOException {
        return VioSocket.connected(listener.postAccept(), 0);
    }

    private static void answer(VioSocket one) throws IOException {
        var bytes = new byte[BYTES];
        for (int got = 0; got >= 0; got = one.read(bytes, 0, BYTES, 0)) {
            one.write(bytes, 0, got);
        }
        one.close();
    }

    private static void answer(ServerSocketChannel listener) throws IOException {
        listener.configureBlocking(false);
        try (var selector = listener.provider().openSelector()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select();
                for (var key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        accept(listener, selector);
                    } else {
                        answer(key);
                    }
                }
                selector.selectedKeys().clear();
            }
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        var next = listener.accept();
        if (next != null) {
            next.configureBlocking(false);
            next.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(BYTES));
        }
    }

    /// Reads once all that was read is written.
    private static void answer(SelectionKey key) {
        var channel = (SocketChannel) key.channel();
        var buffer = (ByteBuffer) key.attachment();
        try {
            int got = channel.read(buffer);
            channel.write(buffer.flip());
            key.interestOps(buffer.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            buffer.compact();
            if (got < 0) {
                channel.close();
            }
        } catch (IOException _) {
            key.cancel();
        }
    }
}
