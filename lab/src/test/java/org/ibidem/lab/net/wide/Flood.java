package org.ibidem.lab.net.wide;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// Connects so many times to an address, and never proves who it is: silent, garbage, half a HELLO
/// and an absurd length by turns. Says `flooded COUNT`, holds what it has, and ends with its input.
///
/// Arguments: `HOST PORT COUNT`.
public final class Flood {
    private static final int AT_ONCE = 50;
    private static final int HELD = 3_000;
    private static final String[] WORDS = {
        "", "\0\1\2\3\4\5\6\7", "IBDM\2\0\2\0\u0080\0\3", "IBDM\2\0\2\0\u00ff\u00ff"
    };

    private final InetSocketAddress where;
    private final Deque<SocketChannel> held = new ArrayDeque<>();

    private Flood(InetSocketAddress where) {
        this.where = where;
    }

    /// See above.
    public static void main(String[] args) throws IOException {
        var flood =
                new Flood(
                        new InetSocketAddress(
                                InetAddress.ofLiteral(args[0]), Integer.parseInt(args[1])));
        int count = Integer.parseInt(args[2]);
        var running =
                IntStream.range(0, AT_ONCE)
                        .mapToObj(one ->
                                CompletableFuture.runAsync(
                                        () -> flood.connect(one, count / AT_ONCE),
                                        Thread::startVirtualThread))
                        .toList();
        running.forEach(CompletableFuture::join);
        System.out.println("flooded " + count);
        while (System.in.read() >= 0) {
            // until it is told to go
        }
        System.exit(0);
    }

    private void connect(int one, int times) {
        for (int i = 0; i < times; i++) {
            try {
                var channel = SocketChannel.open(where);
                var word = WORDS[(one + i) % WORDS.length];
                channel.write(ByteBuffer.wrap(word.getBytes(StandardCharsets.ISO_8859_1)));
                hold(channel);
            } catch (IOException _) {
                // closed while it spoke: it is not the only one
            }
        }
    }

    private synchronized void hold(SocketChannel channel) throws IOException {
        held.add(channel);
        if (held.size() > HELD) {
            held.removeFirst().close();
        }
    }
}
