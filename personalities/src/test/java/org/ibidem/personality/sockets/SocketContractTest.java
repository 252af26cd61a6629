package org.ibidem.personality.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.ibidem.Background;
import org.ibidem.personality.TwoNodes;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What sockets promise, tried on the JDK's own, on ours where they lead to the JDK's, and on ours
/// over VLinks.
@Tag("slow")
@Timeout(120)
class SocketContractTest {
    private static TwoNodes nodes;
    private static Node one;
    private static Node two;

    enum Kind {
        JDK,
        NATIVE,
        VLINK_SHM,
        VLINK_TCP;

        Maker maker() {
            var rules = Rules.parse("*.near -> rank * over shm; *.far -> rank * over tcp");
            var client = new Sockets(() -> one, rules);
            var server = new Sockets(() -> two, rules);
            return switch (this) {
                case JDK -> Maker.jdk();
                case NATIVE -> Maker.of(client, server, "127.0.0.1");
                case VLINK_SHM -> Maker.of(client, server, "1.near");
                case VLINK_TCP -> Maker.of(client, server, "1.far");
            };
        }
    }

    @BeforeAll
    static void join() {
        nodes = TwoNodes.join("sockets");
        one = nodes.one();
        two = nodes.two();
    }

    @AfterAll
    static void leave() {
        nodes.close();
    }

    /// Both ends of a connection, and who accepted it.
    private record Ends(Socket client, Socket server, ServerSocket listener)
            implements AutoCloseable {
        static Ends of(Kind kind) throws IOException {
            var maker = kind.maker();
            var listener = maker.server();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var client = maker.socket();
            client.connect(to(maker, listener));
            return new Ends(client, listener.accept(), listener);
        }

        @Override
        public void close() throws IOException {
            client.close();
            server.close();
            listener.close();
        }
    }

    private static InetSocketAddress to(Maker maker, ServerSocket listener) {
        return to(maker, listener.getLocalPort());
    }

    private static InetSocketAddress to(Maker maker, int port) {
        return maker.host().startsWith("1.")
                ? InetSocketAddress.createUnresolved(maker.host(), port)
                : new InetSocketAddress(maker.host(), port);
    }

    private static Throwable failure(CompletableFuture<?> future) throws Exception {
        return future.<Throwable>handle((_, e) -> e).get(60, TimeUnit.SECONDS);
    }

    /// Waits until it waits within this method.
    private static void awaitBlocked(Thread thread, String method) {
        while (isBusy(thread)
                || Stream.of(thread.getStackTrace())
                        .noneMatch(frame -> frame.getMethodName().equals(method))) {
            Thread.onSpinWait();
        }
    }

    private static boolean isBusy(Thread thread) {
        return switch (thread.getState()) {
            case NEW -> true;
            case RUNNABLE -> !inNative(thread);
            default -> false;
        };
    }

    private static boolean inNative(Thread thread) {
        var frames = thread.getStackTrace();
        return frames.length > 0 && frames[0].isNativeMethod();
    }

    @ParameterizedTest
    @EnumSource
    void bytes_go_both_ways(Kind kind) throws Exception {
        var bytes = new byte[3_000_000];
        new Random(1).nextBytes(bytes);
        try (var ends = Ends.of(kind)) {
            var writing =
                    Background.call(() -> {
                        ends.client.getOutputStream().write(bytes);
                        ends.client.shutdownOutput();
                        return null;
                    });
            var back =
                    Background.call(() -> {
                        var read = ends.server.getInputStream().readAllBytes();
                        ends.server.getOutputStream().write(read);
                        ends.server.close();
                        return read;
                    });
            assertThat(ends.client.getInputStream().readAllBytes()).isEqualTo(bytes);
            assertThat(back.join()).isEqualTo(bytes);
            writing.join();
        }
    }

    @ParameterizedTest
    @EnumSource
    void each_direction_ends_for_itself(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            var out = ends.client.getOutputStream();
            out.write(7);
            ends.client.shutdownOutput();
            assertThat(ends.server.getInputStream().read()).isEqualTo(7);
            assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
            assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
            ends.server.getOutputStream().write(8);
            assertThat(ends.client.getInputStream().read()).isEqualTo(8);
            assertThat(ends.client.isOutputShutdown()).isTrue();
            assertThatThrownBy(() -> out.write(9)).isInstanceOf(SocketException.class);
            assertThatThrownBy(ends.client::getOutputStream)
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Socket output is shutdown");
            ends.server.shutdownOutput();
            assertThat(ends.client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_shuts_his_input_reads_the_end(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            var in = ends.server.getInputStream();
            ends.server.shutdownInput();
            assertThat(in.read()).isEqualTo(-1);
            assertThat(ends.server.isInputShutdown()).isTrue();
            ends.server.getOutputStream().write(5);
            assertThat(ends.client.getInputStream().read()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_read_has_a_time_limit_and_loses_nothing(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            ends.server.setSoTimeout(20);
            var in = ends.server.getInputStream();
            assertThatThrownBy(in::read)
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("Read timed out");
            assertThatThrownBy(in::read).isInstanceOf(SocketTimeoutException.class);
            ends.server.setSoTimeout(60_000);
            assertThat(ends.server.getSoTimeout()).isEqualTo(60_000);
            ends.client.getOutputStream().write(new byte[] {1, 2});
            assertThat(in.read()).isEqualTo(1);
            assertThat(in.available()).isEqualTo(1);
            assertThat(in.read()).isEqualTo(2);
            assertThat(in.available()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_accept_has_a_time_limit(Kind kind) throws Exception {
        var maker = kind.maker();
        try (var listener = maker.server()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.setSoTimeout(20);
            assertThatThrownBy(listener::accept)
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("Accept timed out");
            assertThatThrownBy(listener::accept).isInstanceOf(SocketTimeoutException.class);
            listener.setSoTimeout(60_000);
            try (var client = maker.socket()) {
                client.connect(to(maker, listener));
                try (var server = listener.accept()) {
                    server.getOutputStream().write(3);
                    assertThat(client.getInputStream().read()).isEqualTo(3);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_connect_to_nobody_is_refused(Kind kind) throws Exception {
        var maker = kind.maker();
        int port;
        try (var listener = maker.server()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            port = listener.getLocalPort();
        }
        try (var client = maker.socket()) {
            assertThatThrownBy(() -> client.connect(to(maker, port)))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageStartingWith("Connection refused");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_host_that_nobody_knows(Kind kind) throws Exception {
        try (var client = kind.maker().socket()) {
            assertThatThrownBy(() ->
                            client.connect(
                                    InetSocketAddress.createUnresolved("nowhere.invalid", 80)))
                    .isInstanceOf(UnknownHostException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_reads_is_told_when_another_thread_closes(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            var thread = new CompletableFuture<Thread>();
            var reading =
                    Background.call(() -> {
                        thread.complete(Thread.currentThread());
                        return ends.server.getInputStream().read();
                    });
            awaitBlocked(thread.join(), "read");
            ends.server.close();
            assertThat(failure(reading))
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Socket closed");
            assertThat(ends.client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_accepts_is_told_when_another_thread_closes(Kind kind) throws Exception {
        var listener = kind.maker().server();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        var thread = new CompletableFuture<Thread>();
        var accepting =
                Background.call(() -> {
                    thread.complete(Thread.currentThread());
                    return listener.accept();
                });
        awaitBlocked(thread.join(), "accept");
        listener.close();
        assertThat(failure(accepting))
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket closed");
    }

    @ParameterizedTest
    @EnumSource
    void an_urgent_close_resets_the_other_end(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            ends.client.setSoLinger(true, 0);
            ends.client.close();
            assertThatThrownBy(() -> ends.server.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageStartingWith("Connection reset");
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_writes_to_a_closed_end_hears_of_it(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            ends.client.close();
            assertThat(ends.server.getInputStream().read()).isEqualTo(-1);
            var out = ends.server.getOutputStream();
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    out.write(new byte[1000]);
                                }
                            })
                    .isInstanceOf(SocketException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_closed_socket_says_so(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            var in = ends.client.getInputStream();
            var out = ends.client.getOutputStream();
            in.close();
            assertThat(ends.client.isClosed()).isTrue();
            assertThatThrownBy(in::read).hasMessage("Socket closed");
            assertThatThrownBy(() -> out.write(1)).hasMessage("Socket closed");
            assertThatThrownBy(ends.client::getInputStream).hasMessage("Socket is closed");
            assertThatThrownBy(() -> ends.client.setSoTimeout(1)).hasMessage("Socket is closed");
            ends.client.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void options_are_kept(Kind kind) throws Exception {
        var maker = kind.maker();
        try (var listener = maker.server();
                var client = maker.socket()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.setTcpNoDelay(true);
            client.setSoTimeout(1234);
            client.setSoLinger(true, 5);
            client.connect(to(maker, listener), 60_000);
            client.setKeepAlive(true);
            assertThat(client.getTcpNoDelay()).isTrue();
            assertThat(client.getSoTimeout()).isEqualTo(1234);
            assertThat(client.getSoLinger()).isEqualTo(5);
            assertThat(client.getKeepAlive()).isTrue();
            assertThat(client.getReceiveBufferSize()).isPositive();
            client.setSoLinger(false, 0);
            assertThat(client.getSoLinger()).isEqualTo(-1);
            client.setOption(StandardSocketOptions.TCP_NODELAY, false);
            assertThat(client.getOption(StandardSocketOptions.TCP_NODELAY)).isFalse();
            assertThat(client.supportedOptions()).isEqualTo(new Socket().supportedOptions());
            for (var end : new Socket[] {client, listener.accept()}) {
                end.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 30);
                assertThat(end.getOption(ExtendedSocketOptions.TCP_KEEPIDLE)).isEqualTo(30);
                assertThat(end.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT)).isPositive();
                assertThatThrownBy(() -> end.setOption(StandardSocketOptions.IP_TOS, 256))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> end.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1))
                        .isInstanceOf(UnsupportedOperationException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void both_ends_know_the_addresses(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            assertThat(ends.client.getPort()).isEqualTo(ends.listener.getLocalPort());
            assertThat(ends.server.getLocalPort()).isEqualTo(ends.listener.getLocalPort());
            assertThat(ends.server.getPort()).isEqualTo(ends.client.getLocalPort()).isPositive();
            assertThat(ends.server.getInetAddress().isLoopbackAddress()).isTrue();
            assertThat(ends.client.getInetAddress()).isNotNull();
            assertThat(ends.client.getLocalAddress().isLoopbackAddress()).isTrue();
            assertThat(ends.client.isConnected()).isTrue();
            assertThat(ends.server.isConnected()).isTrue();
            assertThat(ends.client.getRemoteSocketAddress()).isNotNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_port_is_listened_on_once(Kind kind) throws Exception {
        var maker = kind.maker();
        try (var first = maker.server();
                var second = maker.server()) {
            first.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThatThrownBy(() -> second.bind(first.getLocalSocketAddress()))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("Address already in use");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_virtual_thread_that_is_interrupted_closes_its_socket(Kind kind) throws Exception {
        try (var ends = Ends.of(kind)) {
            var failed = new CompletableFuture<Throwable>();
            var begun = new CountDownLatch(1);
            var thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                begun.countDown();
                                try {
                                    ends.server.getInputStream().read();
                                    failed.complete(new AssertionError("it read"));
                                } catch (IOException e) {
                                    failed.complete(e);
                                }
                            });
            begun.await();
            thread.interrupt();
            assertThat(failed.get(60, TimeUnit.SECONDS))
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Closed by interrupt");
            assertThat(ends.server.isClosed()).isTrue();
        }
    }

    private static Maker ours(String clients, String servers) {
        var client = new Sockets(() -> one, Rules.parse(clients));
        var server = new Sockets(() -> two, Rules.parse(servers));
        return Maker.of(client, server, "1.pool");
    }

    private static void connect(Maker maker) throws IOException {
        try (var listener = maker.server();
                var client = maker.socket()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(to(maker, listener));
            client.getOutputStream().write(7);
            try (var server = listener.accept()) {
                assertThat(server.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void a_port_takes_the_stack_that_its_client_chooses() throws Exception {
        connect(ours("*.pool -> rank * over compress > tls > tcp", ""));
    }

    @Test
    void a_port_takes_no_other_stack_than_its_rule_names() throws Exception {
        var rule = "listen 0-65535 -> vlink over tls > tcp";
        connect(ours("*.pool -> rank * over tls > tcp", rule));
        assertThatThrownBy(() -> connect(ours("*.pool -> rank * over tcp", rule)))
                .isInstanceOf(ConnectException.class)
                .cause()
                .hasMessageContaining("go over 'tls > tcp', which is not made as tcp");
        assertThatThrownBy(() -> connect(ours("", "listen 0-65535 -> vlink over none")))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("Cannot listen over 'none'");
    }

    @Test
    void a_number_that_a_socket_has_is_passed_over_until_it_is_closed() throws Exception {
        var client = new Sockets(() -> one, Rules.parse("*.near -> rank * over shm"));
        var maker = Maker.of(client, new Sockets(() -> two, Rules.parse("")), "1.near");
        try (var listener = maker.server()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var all = new Socket[] {maker.socket(), maker.socket(), maker.socket()};
            for (int i = 0; i < all.length; i++) {
                client.localPorts().goOnFrom(LocalPorts.LAST);
                all[i].connect(to(maker, listener));
                int expected = i == 0 ? LocalPorts.LAST : LocalPorts.FIRST;
                assertThat(all[i].getLocalPort()).isEqualTo(expected);
                if (i > 0) {
                    all[i].close(); // the third gets the second's number
                }
            }
            all[0].close(); // till here its number is in use
        }
    }
}
