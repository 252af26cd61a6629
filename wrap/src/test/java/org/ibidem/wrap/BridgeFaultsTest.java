package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Logged;
import org.ibidem.hub.Hub;
import org.ibidem.personality.vio.VioSocket;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// What a bridge does that fails itself: both of its sides hear of it, and wait for nothing.
@Timeout(60)
@Isolated("spoils a buffer that all bridges of the process share")
class BridgeFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final AtomicInteger ended = new AtomicInteger();
    private Hub hub;
    private Node one;
    private Node two;
    private VLink here;
    private VLink there;

    @BeforeEach
    void connect() throws Exception {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("bridge").hub("localhost:" + hub.port());
        one = Node.join(join);
        two = Node.join(join);
        try (var listener = VLinks.of(two).listen("bridge", "tcp", 1)) {
            var accepting = new CompletableFuture<VLink>();
            listener.postAccept().whenDone(done -> accepting.complete(done.result()));
            var posted = VLinks.of(one).connect(two.id(), "bridge", "tcp", "", LIMIT);
            here = VioSocket.connected(posted, (int) LIMIT.toMillis()).link();
            there = accepting.get();
        }
    }

    @AfterEach
    void leave() throws IOException {
        one.close();
        two.close();
        hub.close();
    }

    private void requireToldThere() {
        var done = new CompletableFuture<Void>();
        var reading = there.postRead(ByteBuffer.allocateDirect(1));
        reading.whenDone(_ -> done.complete(null));
        done.join();
        assertThatThrownBy(reading::result).isInstanceOf(VLinkFailed.class);
    }

    @Test
    void one_that_fails_before_it_carries_resets_both_sides() throws IOException {
        try (var near = new Failing();
                var log = new Logged(Bridge.class)) {
            Bridge.start(VLinks.of(one), near, here, ended::incrementAndGet);
            assertThat(ended).hasValue(1);
            assertThat(near.isOpen()).isFalse();
            requireToldThere();
            assertThat(log.lines()).anyMatch(line -> line.contains("for this test"));
        }
    }

    @Test
    void one_that_fails_as_it_carries_resets_both_sides() throws Exception {
        try (var server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (var program = SocketChannel.open(server.getLocalAddress())) {
                var near = server.accept();
                while (!near.getRemoteAddress().equals(program.getLocalAddress())) {
                    near.close(); // a stranger that meant who had the port before
                    near = server.accept();
                }
                Bridge.start(VLinks.of(one), near, here, ended::incrementAndGet);
                spoil();
                program.write(ByteBuffer.wrap(new byte[] {7}));
                assertThatThrownBy(() -> program.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("reset");
                requireToldThere();
                eventually("it has ended", () -> ended.get() == 1);
            }
        }
    }

    /// The next buffers that a bridge takes cannot be read into.
    @SuppressWarnings("unchecked")
    private static void spoil() throws ReflectiveOperationException {
        var field = Class.forName("org.ibidem.wrap.Bridge$Direction").getDeclaredField("FREE");
        field.setAccessible(true);
        var free = (Queue<ByteBuffer>) field.get(null);
        free.clear();
        free.add(ByteBuffer.allocateDirect(1).asReadOnlyBuffer());
    }

    /// A socket of which not all can be set.
    private static final class Failing extends SocketChannel {
        Failing() throws IOException {
            super(SelectorProvider.provider());
        }

        @Override
        public <T> SocketChannel setOption(SocketOption<T> name, T value) {
            if (name.equals(StandardSocketOptions.TCP_NODELAY)) {
                throw new AssertionError("for this test");
            }
            return this;
        }

        @Override
        public <T> T getOption(SocketOption<T> name) {
            throw new AssertionError("for this test");
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return Set.of();
        }

        @Override
        public SocketChannel bind(SocketAddress local) {
            return this;
        }

        @Override
        public SocketChannel shutdownInput() {
            return this;
        }

        @Override
        public SocketChannel shutdownOutput() {
            return this;
        }

        @Override
        public Socket socket() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public boolean isConnectionPending() {
            return false;
        }

        @Override
        public boolean connect(SocketAddress remote) {
            return true;
        }

        @Override
        public boolean finishConnect() {
            return true;
        }

        @Override
        public SocketAddress getRemoteAddress() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public SocketAddress getLocalAddress() {
            return getRemoteAddress();
        }

        @Override
        public int read(ByteBuffer into) {
            return -1;
        }

        @Override
        public long read(ByteBuffer[] into, int offset, int length) {
            return -1;
        }

        @Override
        public int write(ByteBuffer from) {
            return 0;
        }

        @Override
        public long write(ByteBuffer[] from, int offset, int length) {
            return 0;
        }

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}
    }
}
