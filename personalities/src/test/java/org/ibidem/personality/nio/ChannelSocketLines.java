package org.ibidem.personality.nio;

import static org.ibidem.personality.nio.ChannelTable.act;
import static org.ibidem.personality.nio.ChannelTable.asleep;
import static org.ibidem.personality.nio.ChannelTable.beside;
import static org.ibidem.personality.nio.ChannelTable.in;
import static org.ibidem.personality.nio.ChannelTable.line;
import static org.ibidem.personality.nio.ChannelTable.names;
import static org.ibidem.personality.nio.ChannelTable.say;
import static org.ibidem.personality.nio.ChannelTable.states;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ibidem.personality.nio.ChannelTable.Call;
import org.ibidem.personality.nio.ChannelTable.Ends;

/// What their sockets do, those that listen, and what several threads do with one.
final class ChannelSocketLines {
    private ChannelSocketLines() {}

    static void all() {
        adaptors();
        moreAdaptors();
        furtherAdaptors();
        lastAdaptors();
        listeners();
        moreListeners();
        furtherListeners();
        threads();
        moreThreads();
    }

    private static void adaptors() {
        line(
                "a socket's read has a time limit",
                e -> {
                    var both = e.sockets();
                    both[1].setSoTimeout(20);
                    var in = both[1].getInputStream();
                    var first = say(in::read);
                    both[0].getOutputStream().write(7);
                    both[1].setSoTimeout(60_000);
                    return first
                            + say(in::read)
                            + both[1].getSoTimeout()
                            + act(() -> both[1].setSoTimeout(-1));
                });
        line(
                "streams of a socket that is not connected",
                e -> {
                    var socket = e.fresh().socket();
                    return say(socket::getInputStream) + say(socket::getOutputStream);
                });
        line(
                "streams of a socket that is closed",
                e -> {
                    var socket = e.socket();
                    var in = socket.getInputStream();
                    var out = socket.getOutputStream();
                    socket.close();
                    return say(socket::getInputStream)
                            + say(socket::getOutputStream)
                            + say(in::read)
                            + act(() -> out.write(1))
                            + act(() -> socket.setSoTimeout(1))
                            + act(socket::getSoTimeout)
                            + act(() -> socket.setTcpNoDelay(true))
                            + act(socket::shutdownInput)
                            + act(() -> socket.bind(null));
                });
    }

    private static void moreAdaptors() {
        line(
                "streams of a socket that is shut",
                e -> {
                    var socket = e.socket();
                    socket.shutdownInput();
                    socket.shutdownOutput();
                    return say(socket::getInputStream)
                            + say(socket::getOutputStream)
                            + socket.isInputShutdown()
                            + socket.isOutputShutdown()
                            + act(socket::shutdownInput)
                            + act(socket::shutdownOutput);
                });
        line(
                "a socket's available",
                e -> {
                    var both = e.sockets();
                    both[0].getOutputStream().write(new byte[] {1, 2, 3});
                    var in = both[1].getInputStream();
                    return in.read() + " " + in.available() + in.skip(1) + in.available();
                });
        line(
                "a socket's states",
                e -> {
                    var socket = e.fresh().socket();
                    var before = states(socket);
                    socket.connect(e.to, 60_000);
                    var between = states(socket);
                    socket.close();
                    return before + between + states(socket);
                });
        line("a socket that connects twice", e -> act(() -> e.socket().connect(e.to)));
        line(
                "a socket that connects badly",
                e -> {
                    var fresh = e.fresh().socket();
                    return act(() -> fresh.connect(null))
                            + act(() -> fresh.connect(e.to, -1))
                            + act(() ->
                                    fresh.bind(
                                            new InetSocketAddress(
                                                    InetAddress.ofLiteral("127.0.0.1"), 0)))
                            + act(() -> fresh.bind(null));
                });
    }

    private static void furtherAdaptors() {
        line(
                "a socket that connects to nobody knows whom",
                e ->
                        act(() ->
                                e.fresh()
                                        .socket()
                                        .connect(
                                                InetSocketAddress.createUnresolved(
                                                        "nowhere.invalid", 1))));
        line(
                "a socket that does not wait",
                e -> {
                    var pair = e.pair();
                    var in = pair[0].socket().getInputStream();
                    var out = pair[0].socket().getOutputStream();
                    pair[0].configureBlocking(false);
                    return say(in::read)
                            + act(() -> out.write(1))
                            + say(() -> Channels.newInputStream(pair[0]).read());
                });
        line(
                "a socket's other options",
                e -> {
                    var socket = e.socket();
                    socket.setPerformancePreferences(1, 2, 3);
                    socket.setReuseAddress(true);
                    socket.setKeepAlive(true);
                    socket.setSoLinger(true, 3);
                    return act(() -> socket.setOOBInline(true))
                            + say(socket::getOOBInline)
                            + say(socket::getReuseAddress)
                            + say(socket::getKeepAlive)
                            + say(socket::getSoLinger)
                            + act(() -> socket.setTrafficClass(256))
                            + act(() -> socket.setSendBufferSize(0))
                            + act(() -> socket.setReceiveBufferSize(-1));
                });
    }

    private static void lastAdaptors() {
        line(
                "every option of a socket",
                e -> {
                    var socket = e.socket();
                    var said = new ArrayList<String>();
                    for (var name : socket.supportedOptions()) {
                        said.add(name.name() + act(() -> socket.getOption(name)));
                    }
                    said.sort(null);
                    return said;
                });
        line(
                "whose channel it is",
                e -> {
                    var client = e.client();
                    return client.socket().getChannel().equals(client);
                });
    }

    private static void listeners() {
        line(
                "accept of what is not bound",
                e -> {
                    var listener = e.opened(e.there.openServerSocketChannel());
                    return say(listener::accept)
                            + say(listener.socket()::accept)
                            + states(listener.socket());
                });
        line(
                "bind a listener twice",
                e -> {
                    return act(() -> e.listener.bind(null))
                            + act(() -> e.listener.socket().bind(null));
                });
        line(
                "a listener that is closed",
                e -> {
                    var socket = e.listener.socket();
                    var before = states(socket);
                    e.listener.close();
                    return before
                            + say(e.listener::accept)
                            + say(socket::accept)
                            + say(e.listener::getLocalAddress)
                            + act(() -> e.listener.bind(null))
                            + act(() -> socket.bind(null))
                            + act(() -> socket.setSoTimeout(1))
                            + states(socket);
                });
    }

    private static void moreListeners() {
        line(
                "a listener's socket has a time limit",
                e -> {
                    var socket = e.listener.socket();
                    socket.setSoTimeout(20);
                    var first = say(socket::accept);
                    socket.setSoTimeout(60_000);
                    var client = e.fresh();
                    client.connect(e.to);
                    return first
                            + socket.getSoTimeout()
                            + (e.opened(socket.accept()).getChannel() != null)
                            + act(() -> socket.setSoTimeout(-1));
                });
        line(
                "a listener's socket that does not wait",
                e -> {
                    e.listener.configureBlocking(false);
                    return say(() -> e.listener.accept()) + say(e.listener.socket()::accept);
                });
        line(
                "a listener's options",
                e ->
                        names(e.listener)
                                + e.listener.socket().supportedOptions().stream()
                                        .map(java.net.SocketOption::name)
                                        .sorted()
                                        .toList()
                                + say(() ->
                                        e.listener
                                                .socket()
                                                .getOption(StandardSocketOptions.SO_REUSEADDR))
                                + act(() ->
                                        e.listener
                                                .socket()
                                                .setOption(StandardSocketOptions.SO_RCVBUF, 70_000))
                                + act(() ->
                                        e.listener.setOption(
                                                StandardSocketOptions.TCP_NODELAY, true))
                                + e.listener.socket().getChannel().equals(e.listener));
    }

    private static void furtherListeners() {
        line(
                "one listener in two selectors",
                e -> {
                    e.listener.configureBlocking(false);
                    var said = new StringBuilder();
                    var one = e.opened(e.there.openSelector());
                    var two = e.opened(e.there.openSelector());
                    e.listener.register(one, SelectionKey.OP_ACCEPT);
                    e.listener.register(two, SelectionKey.OP_ACCEPT);
                    for (int i = 0; i < 3; i++) {
                        e.fresh().connect(e.to);
                        said.append(one.select(60_000)).append(two.select(60_000));
                        e.opened(e.listener.accept());
                        one.selectedKeys().clear();
                        two.selectedKeys().clear();
                        said.append(one.selectNow()).append(two.selectNow());
                    }
                    return said;
                });
        line("accepting by several threads at once", ChannelSocketLines::acceptors);
    }

    private static Object acceptors(Ends ends) throws Exception {
        var served = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < 4; i++) {
            served.add(
                    beside(
                            new CompletableFuture<>(),
                            () -> {
                                for (int j = 0; j < 100; j++) {
                                    try (var next = ends.listener.accept()) {
                                        next.write(ByteBuffer.allocate(1));
                                    }
                                }
                                return "served";
                            }));
        }
        var asked = new ArrayList<CompletableFuture<String>>();
        for (int i = 0; i < 4; i++) {
            asked.add(
                    beside(
                            new CompletableFuture<>(),
                            () -> {
                                for (int j = 0; j < 100; j++) {
                                    try (var client = ends.here.openSocketChannel()) {
                                        client.connect(ends.to);
                                        client.read(ByteBuffer.allocate(1));
                                    }
                                }
                                return "asked";
                            }));
        }
        var said = new StringBuilder();
        for (var each : asked) {
            said.append(in(each));
        }
        if (said.indexOf("Exception") >= 0) {
            return said; // those who accept wait for more
        }
        for (var each : served) {
            said.append(in(each));
        }
        return said;
    }

    private static void threads() {
        for (var how : List.of("interrupted", "closed")) {
            line(
                    "a read that is " + how,
                    e -> {
                        var client = e.client();
                        return ended(how, client, () -> client.read(ByteBuffer.allocate(1)));
                    });
            line(
                    "a read of several that is " + how,
                    e -> {
                        var client = e.client();
                        return ended(
                                how,
                                client,
                                () -> client.read(new ByteBuffer[] {ByteBuffer.allocate(1)}));
                    });
            line("an accept that is " + how, e -> ended(how, e.listener, e.listener::accept));
            line(
                    "a socket's accept that is " + how,
                    e -> ended(how, e.listener, e.listener.socket()::accept));
            line(
                    "a socket's read that is " + how,
                    e -> {
                        var client = e.client();
                        return ended(how, client, client.socket().getInputStream()::read);
                    });
            line(
                    "a socket's read with a limit that is " + how,
                    e -> {
                        var client = e.client();
                        client.socket().setSoTimeout(60_000);
                        return ended(how, client, client.socket().getInputStream()::read);
                    });
        }
    }

    private static void moreThreads() {
        line(
                "a write that is interrupted",
                e -> {
                    var client = e.client();
                    return ended(
                            "interrupted",
                            client,
                            () -> client.write(ByteBuffer.allocate(64 << 20)) > 0 ? "some" : "");
                });
        line(
                "who was interrupted before",
                e -> {
                    var client = e.client();
                    Thread.currentThread().interrupt();
                    return say(() -> client.read(ByteBuffer.allocate(1)))
                            + Thread.interrupted()
                            + client.isOpen();
                });
        line(
                "who connects and was interrupted before",
                e -> {
                    var client = e.fresh();
                    Thread.currentThread().interrupt();
                    return say(() -> client.connect(e.to)) + Thread.interrupted() + client.isOpen();
                });
        line(
                "who does not wait and was interrupted before",
                e -> {
                    var client = e.client();
                    client.configureBlocking(false);
                    Thread.currentThread().interrupt();
                    return say(() -> client.read(ByteBuffer.allocate(1)))
                            + Thread.interrupted()
                            + client.isOpen();
                });
        line("writes of several buffers by two threads", ChannelSocketLines::apart);
    }

    private static Object ended(String how, java.nio.channels.Channel what, Call call)
            throws Exception {
        var begun = new CompletableFuture<Thread>();
        var future = beside(begun, () -> say(call) + Thread.currentThread().isInterrupted());
        var thread = asleep(begun);
        if (how.equals("closed")) {
            what.close();
        } else {
            thread.interrupt();
        }
        // Whoever had not begun yet finds it closed.
        return in(future).replace("Asynchronous", "").replace("ClosedChannel", "Close")
                + what.isOpen();
    }

    /// A message is two buffers; another thread's does not get between them.
    private static Object apart(Ends ends) throws Exception {
        var pair = ends.pair();
        var writers = new ArrayList<CompletableFuture<String>>();
        for (int i = 1; i <= 2; i++) {
            byte mark = (byte) i;
            writers.add(
                    beside(
                            new CompletableFuture<>(),
                            () -> {
                                for (int j = 0; j < 300; j++) {
                                    var parts =
                                            new ByteBuffer[] {
                                                filled(mark, 3_000), filled(mark, 5_000)
                                            };
                                    if (pair[0].write(parts) != 8_000) {
                                        return "not all at once";
                                    }
                                }
                                return "written";
                            }));
        }
        var in = Channels.newInputStream(pair[1]);
        for (int i = 0; i < 600; i++) {
            var one = in.readNBytes(8_000);
            for (byte each : one) {
                if (each != one[0]) {
                    return "mixed";
                }
            }
        }
        return in(writers.get(0)) + in(writers.get(1));
    }

    private static ByteBuffer filled(byte with, int size) {
        var bytes = new byte[size];
        Arrays.fill(bytes, with);
        return ByteBuffer.wrap(bytes);
    }
}
