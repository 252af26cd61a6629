package org.ibidem.lab.bench.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.topology.NodeId;

/// Takes what comes, and counts it: answers each line with the bytes so far.
///
/// ```
/// plain            answers its port
/// hub PORT HUB     answers its id
/// ```
final class Sink {
    private static final int WINDOW = 1 << 20;
    private static final int BUFFER = 256 << 10;
    private static final AtomicLong BYTES = new AtomicLong();

    private Sink() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("plain")) {
            var server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
            System.out.println(
                    Worker.ANSWER + ((InetSocketAddress) server.getLocalAddress()).getPort());
            Thread.ofPlatform().daemon().start(() -> take(server));
        } else {
            var member = Member.join(Integer.parseInt(arguments[1]), NodeId.parse(arguments[2]));
            System.out.println(Worker.ANSWER + member.id());
            Thread.ofPlatform().daemon().start(() -> take(member));
        }
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            System.out.println(Worker.ANSWER + BYTES.get());
        }
        System.exit(0);
    }

    private static void take(ServerSocketChannel server) {
        var buffer = ByteBuffer.allocateDirect(BUFFER);
        try {
            var selector = Selector.open();
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(key -> take(key, selector, buffer));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void take(SelectionKey key, Selector selector, ByteBuffer buffer) {
        try {
            if (key.channel() instanceof ServerSocketChannel server) {
                var one = server.accept();
                one.configureBlocking(false);
                one.register(selector, SelectionKey.OP_READ);
            } else {
                int got = ((SocketChannel) key.channel()).read(buffer.clear());
                BYTES.addAndGet(Math.max(0, got));
                if (got < 0) {
                    key.channel().close();
                }
            }
        } catch (IOException _) {
            key.cancel();
        }
    }

    private static void take(Member member) {
        Map<Integer, Integer> consumed = new HashMap<>();
        var trunk = member.trunk();
        try {
            while (true) {
                member.words()
                        .next((kind, number, value) -> take(trunk, consumed, kind, number, value));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void take(
            SocketChannel trunk, Map<Integer, Integer> consumed, int kind, int number, int value)
            throws IOException {
        if (kind == RoutedFrames.OPEN) {
            grant(trunk, number, WINDOW);
        } else if (kind == RoutedFrames.DATA) {
            BYTES.addAndGet(value);
            int read = consumed.getOrDefault(number, 0) + value;
            if (read >= WINDOW / 4) {
                grant(trunk, number, read);
                read = 0;
            }
            consumed.put(number, read);
        } else if (kind == RoutedFrames.PING) {
            say(trunk, RoutedFrames.bare(RoutedFrames.PONG, 0));
        }
    }

    private static void grant(SocketChannel trunk, int number, int bytes) throws IOException {
        say(trunk, RoutedFrames.grant(number, bytes));
    }

    private static void say(SocketChannel trunk, byte[] frame) throws IOException {
        for (var word = ByteBuffer.wrap(frame); word.hasRemaining(); ) {
            trunk.write(word);
        }
    }
}
