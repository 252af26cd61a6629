package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sockets of the system in the loop of the VLinks.
@Timeout(60)
class WatchedChannelTest {
    private static final int MEBIBYTE = 1 << 20;

    private final Pair pair = new Pair();
    private SocketChannel peer;
    private SocketChannel socket;
    private WatchedChannel watched;

    @BeforeEach
    void connect() throws IOException {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peer = SocketChannel.open(server.getLocalAddress());
            socket = server.accept();
            watched = pair.from.watch(socket);
        }
    }

    @AfterEach
    void close() throws IOException {
        peer.close();
        pair.close();
    }

    private static boolean came(CountDownLatch latch) throws InterruptedException {
        return latch.await(40, TimeUnit.SECONDS);
    }

    private int read() throws IOException {
        return socket.read(ByteBuffer.allocate(16));
    }

    private void send(int bytes) throws IOException {
        peer.write(ByteBuffer.allocate(bytes));
    }

    @Test
    void who_watches_is_told_once_of_what_comes() throws Exception {
        var first = new CountDownLatch(1);
        var calls = new AtomicInteger();
        watched.whenReadable(() -> {
            calls.incrementAndGet();
            first.countDown();
        });
        assertThat(read()).isZero();
        send(1);
        assertThat(came(first)).isTrue();
        send(1);
        var second = new CountDownLatch(1);
        var after = new CountDownLatch(1);
        watched.whenReadable(second::countDown);
        assertThat(came(second)).isTrue();
        pair.from.loop().call(after::countDown); // a round of the loop is over by then
        assertThat(came(after)).isTrue();
        assertThat(calls).hasValue(1);
        assertThat(read()).isEqualTo(2);
    }

    /// By its own thread, in which nobody rings: a hundred messages, each answered.
    @Test
    void a_handler_that_watches_again_misses_nothing() throws Exception {
        var again =
                new Runnable() {
                    @Override
                    public void run() {
                        if (answered()) {
                            watched.whenReadable(this);
                        }
                    }
                };
        watched.whenReadable(again);
        for (int i = 0; i < 100; i++) {
            send(1);
            assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(1);
        }
    }

    /// One byte for one; false: it has ended.
    private boolean answered() {
        try {
            int got = socket.read(ByteBuffer.allocate(1));
            return got == 0 || (got > 0 && socket.write(ByteBuffer.allocate(1)) > 0);
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void who_waits_for_room_is_told_of_it_and_not_before() throws Exception {
        var room = new CountDownLatch(1);
        var bytes = ByteBuffer.allocate(MEBIBYTE);
        long sent = 0;
        for (int done = -1; done != 0; sent += done) {
            done = socket.write(bytes.clear());
        }
        watched.whenWritable(room::countDown);
        var round = new CountDownLatch(1);
        pair.from.loop().call(round::countDown);
        assertThat(came(round)).isTrue();
        assertThat(room.getCount()).isEqualTo(1);
        for (long got = 0; got < sent; ) {
            got += peer.read(bytes.clear());
        }
        assertThat(came(room)).isTrue();
    }

    @Test
    void its_closing_tells_who_watches_and_the_peer() throws Exception {
        var told = new CountDownLatch(2);
        watched.whenReadable(told::countDown);
        watched.whenWritable(told::countDown);
        watched.close();
        assertThat(came(told)).isTrue();
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        var late = new CountDownLatch(1);
        watched.whenReadable(late::countDown);
        assertThat(late.getCount()).isZero();
        assertThatThrownBy(this::read).isInstanceOf(ClosedChannelException.class);
    }

    @Test
    void it_is_reset_where_it_does_not_linger() throws Exception {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
        watched.close();
        assertThatThrownBy(() -> peer.read(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void the_node_closes_it() throws Exception {
        var told = new CountDownLatch(1);
        watched.whenReadable(told::countDown);
        pair.one.close();
        assertThat(came(told)).isTrue();
        assertThat(peer.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        var late = SocketChannel.open();
        assertThatThrownBy(() -> pair.from.watch(late)).isInstanceOf(VLinkFailed.class);
        assertThat(late.isOpen()).isFalse();
    }

    /// As a bridge does whose other side has ended.
    @Test
    void who_watches_a_vlink_that_is_over_is_told() throws Exception {
        try (var listener = pair.to.listen("echo", "tcp", 5)) {
            var accepting = listener.postAccept();
            var limit = java.time.Duration.ofSeconds(60);
            var link = VLinkTest.done(pair.from.connect(pair.two.id(), "echo", "tcp", "", limit));
            VLinkTest.done(accepting).abort("enough");
            eventually("it is over", () -> isOver(link));
            var told = new CountDownLatch(2);
            link.whenReadable(told::countDown);
            link.whenWritable(told::countDown);
            assertThat(came(told)).isTrue();
        }
    }

    private static boolean isOver(VLink link) {
        try {
            link.read(ByteBuffer.allocate(1));
        } catch (VLinkFailed _) {
            // that is how it ends
        }
        return link.isOver();
    }
}
