package org.ibidem.personality.nio;

import static org.ibidem.personality.nio.ChannelTable.act;
import static org.ibidem.personality.nio.ChannelTable.in;
import static org.ibidem.personality.nio.ChannelTable.line;
import static org.ibidem.personality.nio.ChannelTable.names;
import static org.ibidem.personality.nio.ChannelTable.say;

import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import jdk.net.ExtendedSocketOptions;
import org.ibidem.personality.nio.ChannelTable.Ends;

/// What channels do: their states, buffers and options.
final class ChannelLines {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private ChannelLines() {}

    static void all() {
        states();
        moreStates();
        buffers();
        moreBuffers();
        options();
        moreOptions();
    }

    private static void states() {
        line("bind when connected", e -> act(() -> e.client().bind(null)));
        line("bind twice", e -> act(() -> e.fresh().bind(null).bind(null)));
        line("connect twice", e -> say(() -> e.client().connect(e.to)));
        line(
                "connect closed",
                e -> {
                    var client = e.client();
                    client.close();
                    return say(() -> client.connect(e.to)) + say(client::finishConnect);
                });
        line("finish without connect", e -> say(() -> e.fresh().finishConnect()));
        line("connect to null", e -> say(() -> e.fresh().connect(null)));
        line(
                "connect to a name that nobody knows",
                e ->
                        say(() ->
                                e.fresh()
                                        .connect(
                                                InetSocketAddress.createUnresolved(
                                                        "nowhere.invalid", 1))));
        line("finish when connected", e -> say(() -> e.client().finishConnect()));
        line(
                "shut what is not connected",
                e -> {
                    var fresh = e.fresh();
                    return act(fresh::shutdownInput) + act(fresh::shutdownOutput);
                });
        line(
                "shut twice",
                e -> {
                    var client = e.client();
                    return act(() -> client.shutdownInput().shutdownInput())
                            + act(() -> client.shutdownOutput().shutdownOutput())
                            + say(() -> client.write(ByteBuffer.allocate(1)));
                });
    }

    private static void moreStates() {
        line(
                "addresses of what is closed",
                e -> {
                    var client = e.client();
                    client.close();
                    return say(client::getRemoteAddress)
                            + say(client::getLocalAddress)
                            + client.isConnected()
                            + client.isConnectionPending()
                            + act(client::shutdownInput)
                            + say(() -> client.getOption(StandardSocketOptions.TCP_NODELAY));
                });
        line(
                "addresses of what is fresh",
                e -> {
                    var fresh = e.fresh();
                    return say(fresh::getRemoteAddress) + say(fresh::getLocalAddress);
                });
        line(
                "the other end's port",
                e -> {
                    var pair = e.pair();
                    return pair[0].getLocalAddress().equals(pair[1].getRemoteAddress());
                });
        line(
                "where it leads",
                e -> {
                    var client = e.client();
                    return client.getRemoteAddress().equals(e.to)
                            && client.socket().getRemoteSocketAddress().equals(e.to)
                            && client.socket().getInetAddress().equals(e.to.getAddress());
                });
        line("which operations", e -> e.client().validOps() + e.listener.validOps());
    }

    private static void buffers() {
        line(
                "read into nothing",
                e -> {
                    var pair = e.pair();
                    var before = say(() -> pair[0].read(NONE));
                    pair[1].close();
                    return before + say(() -> pair[0].read(NONE)) + say(() -> pair[0].write(NONE));
                });
        line(
                "read into what is read only",
                e -> say(() -> e.client().read(ByteBuffer.allocate(3).asReadOnlyBuffer())));
        line(
                "read into what is read only, not waiting",
                e -> {
                    var client = e.client();
                    client.configureBlocking(false);
                    return say(() -> client.read(ByteBuffer.allocate(3).asReadOnlyBuffer()));
                });
        line(
                "no buffer",
                e -> {
                    var client = e.client();
                    return say(() -> client.read((ByteBuffer) null))
                            + say(() -> client.write((ByteBuffer) null));
                });
    }

    private static void moreBuffers() {
        line(
                "some of several",
                e -> {
                    var pair = e.pair();
                    var out = new ByteBuffer[] {wrap("ab"), NONE, wrap("cd"), wrap("ef")};
                    var in =
                            new ByteBuffer[] {ByteBuffer.allocate(1), ByteBuffer.allocate(9), null};
                    var wrote = pair[0].write(out, 1, 2) + pair[0].write(out);
                    pair[0].shutdownOutput();
                    var got = pair[1].read(in, 0, 2);
                    while (pair[1].read(in[1]) >= 0 && in[1].position() < 5) {
                        got++;
                    }
                    return "%d %d %s %s"
                                    .formatted(wrote, Math.min(got, 1), text(in[0]), text(in[1]))
                            + say(() -> pair[1].read(new ByteBuffer[0]))
                            + say(() -> pair[1].read(in, 0, 2))
                            + say(() -> pair[0].write(new ByteBuffer[0], 1, 0));
                });
        line(
                "several, among them one that is read only",
                e -> {
                    var pair = e.pair();
                    pair[0].write(wrap("abc"));
                    var in =
                            new ByteBuffer[] {ByteBuffer.allocate(1), wrap("x").asReadOnlyBuffer()};
                    return say(() -> pair[1].read(in)) + text(in[0]);
                });
        line("a file there and back", ChannelLines::file);
    }

    private static ByteBuffer wrap(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.US_ASCII.decode(buffer.duplicate().flip()).toString();
    }

    private static Object file(Ends ends) throws Exception {
        var pair = ends.pair();
        var from = Files.createTempFile("channel", "from");
        var to = Files.createTempFile("channel", "to");
        try (var source =
                        FileChannel.open(from, StandardOpenOption.WRITE, StandardOpenOption.READ);
                var drain = FileChannel.open(to, StandardOpenOption.WRITE)) {
            source.write(ByteBuffer.allocate(300_000).putInt(77, 5));
            var sending =
                    CompletableFuture.supplyAsync(() ->
                            say(() -> {
                                long sent = 0;
                                while (sent < 300_000) {
                                    sent += source.transferTo(sent, 300_000 - sent, pair[0]);
                                }
                                pair[0].shutdownOutput();
                                return sent;
                            }));
            long got = 0;
            for (long some = 1; some > 0; got += some) {
                some = drain.transferFrom(pair[1], got, 50_000);
            }
            return in(sending) + " " + got + " " + Files.mismatch(from, to);
        } finally {
            Files.delete(from);
            Files.delete(to);
        }
    }

    private static void options() {
        line(
                "options of both ends",
                e -> {
                    var pair = e.pair();
                    return pair[0].supportedOptions().equals(pair[1].supportedOptions())
                            + " "
                            + pair[0].supportedOptions().equals(e.fresh().supportedOptions());
                });
        line("supported options", e -> names(e.client()));
        line("supported options of the socket", e -> names(e.socket()));
        line(
                "every option can be asked and set again",
                e -> {
                    var said = new ArrayList<String>();
                    for (var end : e.pair()) {
                        for (var name : end.supportedOptions()) {
                            var type = name.type().getSimpleName();
                            said.add(name.name() + " " + type + " " + again(end, name));
                        }
                    }
                    said.sort(null);
                    return said;
                });
        line(
                "keepalive's times",
                e -> {
                    var client = e.client();
                    client.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 30);
                    return client.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)
                            + say(() ->
                                    e.socket()
                                            .setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 5)
                                            .getOption(ExtendedSocketOptions.TCP_KEEPIDLE));
                });
    }

    private static void moreOptions() {
        line(
                "values that are none",
                e -> {
                    var client = e.client();
                    return act(() -> client.setOption(StandardSocketOptions.SO_RCVBUF, -1))
                            + act(() -> client.setOption(StandardSocketOptions.SO_SNDBUF, 0))
                            + act(() -> client.setOption(StandardSocketOptions.IP_TOS, 256))
                            + act(() -> client.setOption(StandardSocketOptions.TCP_NODELAY, null))
                            + act(() -> client.setOption(null, 1))
                            + act(() -> client.getOption(null))
                            + act(() -> client.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
                });
        line(
                "a negative linger",
                e -> {
                    var client = e.client();
                    client.setOption(StandardSocketOptions.SO_LINGER, -5);
                    return client.getOption(StandardSocketOptions.SO_LINGER)
                            + act(() -> client.socket().setSoLinger(true, -5))
                            + act(() -> client.socket().setSoLinger(true, 70_000))
                            + client.socket().getSoLinger();
                });
    }

    private static <T> String again(SocketChannel end, java.net.SocketOption<T> name) {
        return act(() -> end.setOption(name, end.getOption(name)));
    }
}
