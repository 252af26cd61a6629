package org.ibidem.accept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.identity.Identity;
import org.ibidem.topology.Egress;
import org.junit.jupiter.api.Test;

class ObservationTest {
    private static final InetSocketAddress SIX = at("2001:db8::1");
    private static final InetSocketAddress FOUR = at("192.0.2.1");
    private static final InetSocketAddress PROXY = at("192.0.2.9");
    private static final InetAddress MY_SIX = InetAddress.ofLiteral("2001:db8::7");
    private static final InetAddress MY_FOUR = InetAddress.ofLiteral("10.0.0.7");

    private static InetSocketAddress at(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 8888);
    }

    @Test
    void an_observer_that_says_nothing_is_not_waited_for_longer_than_said() throws Exception {
        try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var socket = SocketChannel.open()) {
            var there = (InetSocketAddress) silent.getLocalSocketAddress();
            assertThatThrownBy(() -> Observation.ask(socket, there, Duration.ofMillis(100)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("says nothing");
        }
    }

    @Test
    void that_a_proxy_was_faster_does_not_mean_that_there_is_no_other_way_out() throws Exception {
        var identity = Identity.create();
        var loopback = InetAddress.getLoopbackAddress();
        try (var threads = new Threads("test");
                var proxy = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0));
                var over = SocketChannel.open(proxy.getLocalAddress())) {
            var handshake = new Handshake(identity, threads, Handshake.LIMIT);
            var hello = Hello.routed("demo", identity.id());
            var proved = new Proved(new SocketPath(over), identity.key(), hello, 1, true);
            int port;
            try (var hub = Listener.open(0, false, handshake, threads)) {
                port = hub.port();
                assertThat(
                                Observation.egress(
                                        proved,
                                        new HubPlace(loopback.getHostAddress(), port),
                                        threads))
                        .isEqualTo(Egress.UNKNOWN); // on this machine there is nothing to see
            }
            assertThat(
                            Observation.egress(
                                    proved, new HubPlace(loopback.getHostAddress(), port), threads))
                    .isEqualTo(Egress.PROXY);
        }
    }

    @Test
    void it_is_the_way_out_by_ipv4_that_is_asked_for_where_there_is_one() {
        var both = List.of(SIX, FOUR);
        assertThat(Observation.toAsk(SIX, both, Set.of(MY_SIX, MY_FOUR)))
                .containsExactly(FOUR, SIX);
        assertThat(Observation.toAsk(SIX, both, Set.of(MY_SIX))).containsExactly(SIX);
        assertThat(Observation.toAsk(PROXY, both, Set.of(MY_FOUR))).containsExactly(FOUR);
        assertThat(Observation.toAsk(PROXY, List.of(), Set.of(MY_FOUR))).isEmpty();
    }
}
