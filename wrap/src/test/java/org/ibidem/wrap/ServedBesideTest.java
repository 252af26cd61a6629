package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.personality.aio.IbidemAsynchronousChannelProvider;
import org.ibidem.personality.nio.IbidemSelectorProvider;
import org.ibidem.personality.sockets.Rules;
import org.ibidem.personality.sockets.Sockets;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs of Java whose server is none of Ibidem's, but of this machine: an agent serves its
/// port, and nothing is carried by it.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class ServedBesideTest {
    private static Hub hub;
    private static Node beside;
    private static Node client;
    private static Agent agent;
    private static ServerSocket server;
    private static int port;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("beside").hub("localhost:" + hub.port()).size(2);
        beside = Node.join(join.rank(0));
        client = Node.join(join.rank(1));
        agent = Agent.start(beside, "", "auto", folder.resolve("agent"));
        server = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
        port = server.getLocalPort();
        agent.serve(port);
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
        agent.close();
        client.close();
        beside.close();
        hub.close();
    }

    private static Sockets sockets(String stack) {
        return new Sockets(() -> client, Rules.parse("10.77.0.0 -> rank 0 over " + stack));
    }

    private static InetSocketAddress there() {
        return new InetSocketAddress("10.77.0.0", port);
    }

    private static SocketChannel channel(String stack) throws IOException {
        return new IbidemSelectorProvider(() -> sockets(stack)).openSocketChannel();
    }

    /// The server answers, and has seen who it is.
    private static void assertAnswered(SocketChannel channel, String from) throws IOException {
        try (var accepted = server.accept()) {
            assertThat(accepted.getInetAddress().getHostAddress()).isEqualTo(from);
            accepted.getOutputStream().write(7);
            channel.configureBlocking(true);
            var one = ByteBuffer.allocate(1);
            assertThat(channel.read(one)).isEqualTo(1);
            assertThat(one.get(0)).isEqualTo((byte) 7);
            assertThat(channel.getRemoteAddress()).isEqualTo(there());
            assertThat(channel.write(ByteBuffer.wrap(new byte[] {8}))).isEqualTo(1);
            assertThat(accepted.getInputStream().read()).isEqualTo(8);
        }
    }

    @Test
    void a_channel_that_blocks_is_connected_to_the_server_itself() throws Exception {
        try (var channel = channel("auto")) {
            assertThat(channel.connect(there())).isTrue();
            assertThat(channel).asString().contains("native");
            assertAnswered(channel, "127.80.0.1");
        }
    }

    @Test
    void so_is_one_that_does_not() throws Exception {
        try (var channel = channel("auto")) {
            channel.configureBlocking(false);
            try (var selector = channel.provider().openSelector()) {
                if (!channel.connect(there())) {
                    channel.register(selector, SelectionKey.OP_CONNECT);
                    assertThat(selector.select(60_000)).isEqualTo(1);
                    assertThat(channel.finishConnect()).isTrue();
                }
            }
            assertThat(channel).asString().contains("native");
            assertAnswered(channel, "127.80.0.1");
        }
    }

    @Test
    void so_is_one_of_a_group() throws Exception {
        var provider = new IbidemAsynchronousChannelProvider(() -> sockets("auto"));
        try (var channel = provider.openAsynchronousSocketChannel(null)) {
            channel.connect(there()).get(60, TimeUnit.SECONDS);
            assertThat(channel.getRemoteAddress()).isEqualTo(there());
            var local = (InetSocketAddress) channel.getLocalAddress();
            assertThat(local.getHostString()).as("a VLink's is 127.0.0.1").isEqualTo("127.80.0.1");
            try (var accepted = server.accept()) {
                accepted.getOutputStream().write(9);
                var one = ByteBuffer.allocate(1);
                assertThat(channel.read(one).get(60, TimeUnit.SECONDS)).isEqualTo(1);
                assertThat(one.get(0)).isEqualTo((byte) 9);
            }
        }
    }

    @Test
    void where_a_stack_was_asked_for_that_carries_it() throws Exception {
        try (var channel = channel("shm")) {
            assertThat(channel.connect(there())).isTrue();
            assertAnswered(channel, "127.80.0.1");
            assertThat(channel).asString().contains("shm");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void where_nobody_listens_it_is_refused(boolean blocks) throws Exception {
        int other;
        try (var unused = new ServerSocket(0)) {
            other = unused.getLocalPort();
        }
        agent.serve(other);
        try (var channel = channel("auto");
                var selector = channel.provider().openSelector()) {
            channel.configureBlocking(blocks);
            var to = new InetSocketAddress("10.77.0.0", other);
            assertThatThrownBy(
                            () -> {
                                if (!channel.connect(to)) {
                                    channel.register(selector, SelectionKey.OP_CONNECT);
                                    selector.select(60_000);
                                    channel.finishConnect();
                                }
                            })
                    .isInstanceOf(ConnectException.class)
                    .hasMessage("Connection refused");
            assertThat(channel.isOpen()).isFalse();
        }
    }
}
