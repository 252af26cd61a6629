package org.ibidem.connect.routed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.link.StreamPath;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Busy streams share a trunk frame by frame.
@Timeout(60)
class TrunkTurnsTest {
    private static final NodeId ME = new NodeId(1, 1);
    private static final NodeId YOU = new NodeId(2, 2);

    /// Of one stream wait so many bytes at most, which are so many frames.
    private static final int WAITING = 256 << 10;

    /// The system keeps little between the ends. With less than this TCP may send half a kilobyte
    /// every 200 ms (a window below its segment's size: RFC 1122, section 4.2.3.4).
    private static final int LITTLE = 8 << 10;

    private static final int FRAMES = WAITING / RoutedFrames.MOST_DATA;

    private final Threads threads = new Threads("test");
    private final BlockingQueue<StreamPath> visitors = new LinkedBlockingQueue<>();
    private final SocketChannel line;
    private final SocketChannel far;
    private final Trunk trunk;

    TrunkTurnsTest() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, LITTLE);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            line = SocketChannel.open();
            line.setOption(StandardSocketOptions.SO_SNDBUF, LITTLE);
            line.connect(server.getLocalAddress());
            far = server.accept();
        }
        trunk =
                new Trunk(
                        new SocketPath(line), new TrunkEnds(ME, YOU, true), threads, visitors::add);
        threads.start("trunk", trunk::run);
    }

    @AfterEach
    void close() throws IOException {
        trunk.close();
        far.close();
        threads.close();
    }

    /// Opened by the other end, which lets a whole queue be sent on it.
    private StreamPath stream(int number) throws Exception {
        far.write(ByteBuffer.wrap(RoutedFrames.open(number, YOU, 1 << 20)));
        while (kindOfNext() == RoutedFrames.PING) { // where the machine stood still for a while
            far.write(ByteBuffer.wrap(RoutedFrames.bare(RoutedFrames.PONG, 0)));
        }
        var stream = visitors.take();
        stream.blocking(false);
        return stream;
    }

    /// Reads one frame.
    private int kindOfNext() throws IOException {
        int word = next(RoutedFrames.HEADER).getInt(0);
        next(RoutedFrames.length(word));
        return RoutedFrames.kind(word);
    }

    private ByteBuffer next(int bytes) throws IOException {
        var in = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            assertThat(far.read(in)).isPositive();
        }
        return in;
    }

    /// Until so much waits that no more goes.
    private static void fill(StreamPath stream) {
        var bytes = ByteBuffer.allocate(WAITING);
        eventually(
                "it is full",
                () -> {
                    try {
                        return stream.write(bytes.clear()) == 0;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /// Reads frames of data until there were so many, and says of which streams they were.
    private List<Integer> read(int frames) throws IOException {
        var order = new ArrayList<Integer>();
        var in = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
        while (order.size() < frames) {
            assertThat(far.read(in)).isPositive();
            in.flip();
            while (in.remaining() >= RoutedFrames.HEADER) {
                int length = RoutedFrames.length(in.getInt(in.position()));
                if (in.remaining() < RoutedFrames.HEADER + length) {
                    break;
                }
                if (RoutedFrames.kind(in.getInt(in.position())) == RoutedFrames.PING) {
                    far.write(ByteBuffer.wrap(RoutedFrames.bare(RoutedFrames.PONG, 0)));
                } else {
                    order.add(in.getInt(in.position() + Integer.BYTES));
                }
                in.position(in.position() + RoutedFrames.HEADER + length);
            }
            in.compact();
        }
        return order;
    }

    @Test
    void two_that_are_busy_take_turns() throws Exception {
        var one = stream(2);
        var other = stream(4);
        fill(one);
        fill(other);
        var order = read(2 * FRAMES);
        var both = order.subList(order.indexOf(4), order.lastIndexOf(2) + 1);
        // What the system and the batch that is being written had taken before.
        assertThat(both).hasSizeGreaterThan(FRAMES / 2);
        for (int i = 0; i < both.size(); i++) {
            assertThat(both.get(i)).as("frame %s of %s", i, both).isEqualTo(i % 2 == 0 ? 4 : 2);
        }
    }

    @Test
    @Tag("slow")
    void one_that_has_little_to_say_need_not_wait_for_what_the_busy_have() throws Exception {
        var one = stream(2);
        var other = stream(4);
        var quiet = stream(6);
        fill(one);
        fill(other);
        quiet.write(ByteBuffer.wrap(new byte[] {1}));
        var order = read(2 * FRAMES);
        int begin = order.indexOf(4);
        assertThat(order.indexOf(6) - begin).isLessThan(10);
    }
}
