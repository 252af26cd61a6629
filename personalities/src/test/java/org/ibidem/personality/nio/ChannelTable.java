package org.ibidem.personality.nio;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ibidem.personality.TwoNodes;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;

/// A table of what channels and their sockets do: its lines, and what each has.
final class ChannelTable {
    static final Map<String, Line> TABLE = new LinkedHashMap<>();
    private static @Nullable TwoNodes nodes;

    private ChannelTable() {}

    static void join() {
        nodes = TwoNodes.join("details");
    }

    static void leave() {
        Objects.requireNonNull(nodes).close();
    }

    /// Whose channels they are, and where they lead.
    enum Kind {
        JDK("127.0.0.1"),
        NATIVE("127.0.0.1"),
        VLINK_SHM("10.99.0.1"),
        VLINK_TCP("10.98.0.1");

        private final String host;

        Kind(String host) {
            this.host = host;
        }

        InetSocketAddress to(ServerSocketChannel listener) throws IOException {
            return new InetSocketAddress(host, port(listener));
        }

        SelectorProvider of(Node node) {
            if (this == JDK) {
                return SelectorProvider.provider();
            }
            var rules = Rules.parse("10.99.0.1 -> rank 1 over shm; 10.98.0.1 -> rank 1 over tcp");
            var sockets = new Sockets(() -> node, rules);
            return new IbidemSelectorProvider(() -> sockets);
        }
    }

    /// What a line of the table has.
    static final class Ends implements Closeable {
        final Kind kind;
        final SelectorProvider here;
        final SelectorProvider there;
        final ServerSocketChannel listener;
        final InetSocketAddress to;
        private final List<Closeable> open = new ArrayList<>();

        Ends(Kind kind) throws IOException {
            this.kind = kind;
            here = kind.of(Objects.requireNonNull(nodes).one());
            there = kind.of(Objects.requireNonNull(nodes).two());
            listener = opened(there.openServerSocketChannel());
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            to = kind.to(listener);
        }

        <T extends Closeable> T opened(T what) {
            open.add(what);
            return what;
        }

        SocketChannel fresh() throws IOException {
            return opened(here.openSocketChannel());
        }

        /// The client's end, and the server's.
        SocketChannel[] pair() throws IOException {
            var client = fresh();
            client.connect(to);
            return new SocketChannel[] {client, opened(listener.accept())};
        }

        Socket[] sockets() throws IOException {
            return Arrays.stream(pair()).map(SocketChannel::socket).toArray(Socket[]::new);
        }

        SocketChannel client() throws IOException {
            return pair()[0];
        }

        Socket socket() throws IOException {
            return client().socket();
        }

        @Override
        public void close() throws IOException {
            for (var each : open) {
                each.close();
            }
        }
    }

    interface Line {
        Object of(Ends ends) throws Exception;
    }

    @FunctionalInterface
    interface Call {
        Object call() throws Exception;
    }

    @FunctionalInterface
    interface Deed {
        void run() throws Exception;
    }

    static int port(ServerSocketChannel listener) throws IOException {
        return ((InetSocketAddress) listener.getLocalAddress()).getPort();
    }

    static String said(Throwable e) {
        return e.getClass().getSimpleName()
                + (e instanceof NullPointerException ? "" : ": " + e.getMessage());
    }

    static String say(Call call) {
        try {
            return String.valueOf(call.call());
        } catch (Throwable e) {
            return said(e);
        }
    }

    static String act(Deed deed) {
        return say(() -> {
            deed.run();
            return "done";
        });
    }

    static CompletableFuture<String> beside(CompletableFuture<Thread> begun, Call call) {
        var future = new CompletableFuture<String>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    begun.complete(Thread.currentThread());
                    future.complete(say(call));
                });
        return future;
    }

    static String in(CompletableFuture<String> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }

    static boolean inNative(Thread thread) {
        var frames = thread.getStackTrace();
        return frames.length > 0 && frames[0].isNativeMethod();
    }

    /// Has it wait within a call of a channel, and not for a class that is loaded before that.
    static Thread asleep(CompletableFuture<Thread> begun) {
        var thread = begun.join();
        while (thread.getState() == Thread.State.NEW
                || (thread.getState() == Thread.State.RUNNABLE && !inNative(thread))
                || !inChannel(thread)) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private static boolean inChannel(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::getClassName)
                .anyMatch(name ->
                        name.startsWith("sun.nio.ch.")
                                || name.startsWith("org.ibidem.vlink.")
                                || name.startsWith("org.ibidem.personality.nio.VLinkChannel"));
    }

    static void line(String name, Line line) {
        TABLE.put(name, line);
    }

    static String names(java.nio.channels.NetworkChannel of) {
        return of.supportedOptions().stream().map(java.net.SocketOption::name).sorted().toList()
                + "";
    }

    static String names(Socket of) {
        return of.supportedOptions().stream().map(java.net.SocketOption::name).sorted().toList()
                + "";
    }

    static String states(Socket socket) {
        return " "
                + socket.isBound()
                + socket.isConnected()
                + socket.isClosed()
                + (socket.getPort() > 0)
                + (socket.getLocalPort() > 0)
                + socket.getLocalPort() / 100_000
                + (socket.getRemoteSocketAddress() != null)
                + (socket.getInetAddress() != null)
                + (socket.getLocalSocketAddress() != null)
                + socket.getLocalAddress().isAnyLocalAddress();
    }

    static String states(ServerSocket socket) throws IOException {
        return " "
                + socket.isBound()
                + socket.isClosed()
                + (socket.getLocalPort() > 0)
                + (socket.getInetAddress() != null)
                + (socket.getLocalSocketAddress() != null);
    }
}
