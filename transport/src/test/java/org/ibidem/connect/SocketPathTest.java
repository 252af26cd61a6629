package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/// What a call takes of a long buffer.
class SocketPathTest {
    private static final int LONG = 4 << 20;
    private static final int MOST = 320 << 10;

    @Test
    void a_call_takes_so_much_at_most_and_leaves_the_rest_as_it_is() throws Exception {
        try (var listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (var socket = SocketChannel.open();
                    var peer = connected(socket, listener);
                    var path = new SocketPath(socket)) {
                var bytes = ByteBuffer.allocateDirect(LONG);
                socket.configureBlocking(false);
                int taken = path.write(bytes);
                assertThat(taken).isPositive().isLessThanOrEqualTo(MOST);
                assertThat(bytes.position()).isEqualTo(taken);
                assertThat(bytes.limit()).isEqualTo(LONG);
                var reader = Thread.ofPlatform().daemon().start(() -> readAll(peer));
                path.blocking(true); // takes all it may
                while (bytes.hasRemaining()) {
                    assertThat(path.write(bytes)).isPositive().isLessThanOrEqualTo(MOST);
                    assertThat(bytes.limit()).isEqualTo(LONG);
                }
                path.end();
                reader.join();
            }
        }
    }

    private static SocketChannel connected(SocketChannel socket, ServerSocketChannel listener)
            throws java.io.IOException {
        socket.setOption(StandardSocketOptions.SO_SNDBUF, LONG);
        socket.connect(listener.getLocalAddress());
        return listener.accept();
    }

    private static void readAll(SocketChannel peer) {
        var into = ByteBuffer.allocateDirect(1 << 16);
        try {
            while (peer.read(into.clear()) >= 0) {}
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
