package org.ibidem.lab.bench.relay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.ibidem.connect.routed.RoutedFrames;
import org.ibidem.lab.bench.crowd.Worker;
import org.ibidem.topology.NodeId;

/// Sends as fast as it can, over so many streams by turns, until it is told to end.
///
/// ```
/// plain PORT STREAMS
/// hub PORT HUB SINK STREAMS
/// ```
final class Source {
    private static final int BATCH = 256 << 10;
    private static final int CHUNK = 64 << 10;

    /// Of each stream, by its number halved: what may be sent.
    private final long[] credit;

    /// Streams that may send something, in a circle.
    private final int[] ready;

    private int first;
    private int size;

    private Source(int streams) {
        credit = new long[streams];
        ready = new int[streams + 1];
    }

    public static void main(String[] arguments) throws IOException {
        Thread.ofPlatform().daemon().start(() -> run(arguments));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            // ends with its input
        }
        System.exit(0);
    }

    private static void run(String... arguments) {
        try {
            int port = Integer.parseInt(arguments[1]);
            if (arguments[0].equals("plain")) {
                sendPlainly(port, Integer.parseInt(arguments[2]));
            } else {
                var member = Member.join(port, NodeId.parse(arguments[2]));
                var source = new Source(Integer.parseInt(arguments[4]));
                source.send(member, NodeId.parse(arguments[3]));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void sendPlainly(int port, int streams) throws IOException {
        var where = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        var selector = Selector.open();
        for (int i = 0; i < streams; i++) {
            var channel = SocketChannel.open(where);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_WRITE);
        }
        System.out.println(Worker.ANSWER + "sending");
        var bytes = ByteBuffer.allocateDirect(CHUNK);
        while (true) {
            selector.select(key -> {
                try {
                    ((SocketChannel) key.channel()).write(bytes.clear());
                } catch (IOException _) {
                    key.cancel();
                }
            });
        }
    }

    private void send(Member member, NodeId sink) throws IOException, InterruptedException {
        var trunk = member.trunk();
        Thread.ofPlatform().daemon().start(() -> hear(member.words()));
        for (int i = 0; i < credit.length; i++) {
            writeAll(trunk, ByteBuffer.wrap(RoutedFrames.open(2 * i + 1, sink, 0)));
        }
        System.out.println(Worker.ANSWER + "sending");
        var batch = ByteBuffer.allocateDirect(BATCH).order(ByteOrder.LITTLE_ENDIAN);
        while (true) {
            batch.clear();
            fill(batch);
            writeAll(trunk, batch.flip());
        }
    }

    private static void writeAll(SocketChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private synchronized void fill(ByteBuffer batch) throws InterruptedException {
        while (size == 0) {
            wait();
        }
        int frame = RoutedFrames.HEADER + RoutedFrames.MOST_DATA;
        while (size > 0 && batch.remaining() >= frame) {
            int stream = ready[first];
            first = (first + 1) % ready.length;
            size--;
            int length = (int) Math.min(credit[stream], RoutedFrames.MOST_DATA);
            batch.putInt(RoutedFrames.word(RoutedFrames.DATA, length));
            batch.putInt(2 * stream + 1);
            batch.position(batch.position() + length);
            credit[stream] -= length;
            if (credit[stream] > 0) {
                enlist(stream);
            }
        }
    }

    private void enlist(int stream) {
        ready[(first + size++) % ready.length] = stream;
    }

    private void hear(Words words) {
        try {
            while (true) {
                words.next((kind, number, granted) -> {
                    if (kind == RoutedFrames.GRANT && number != Member.TALK) {
                        granted(number / 2, granted);
                    }
                });
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private synchronized void granted(int stream, int bytes) {
        boolean before = credit[stream] > 0;
        credit[stream] += bytes;
        if (!before) {
            enlist(stream);
            notifyAll();
        }
    }
}
