package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Threads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RaceTest {
    @Test
    void sockets_of_attempts_that_failed_are_closed_when_a_route_tries_again() throws Exception {
        var loopback = InetAddress.getLoopbackAddress();
        var taken = new ArrayList<SocketChannel>();
        try (var threads = new Threads("test");
                var server = ServerSocketChannel.open().bind(new InetSocketAddress(loopback, 0))) {
            var there = (InetSocketAddress) server.getLocalAddress();
            var route =
                    new Route() {
                        @Override
                        public InetSocketAddress address() {
                            return there;
                        }

                        @Override
                        public SocketPath connect(Sockets sockets) throws IOException {
                            for (int i = 0; i < 3; i++) {
                                taken.add(sockets.open());
                            }
                            taken.getLast().connect(there);
                            return new SocketPath(taken.getLast());
                        }
                    };
            var context = new MethodContext(threads, Duration.ofSeconds(20));
            var won =
                    new Race<>(
                                    "node 1",
                                    List.of(route),
                                    path -> () -> ((SocketPath) path).socket(),
                                    context)
                            .run();
            try (won) {
                assertThat(won).isSameAs(taken.getLast());
                assertThat(taken)
                        .extracting(SocketChannel::isOpen)
                        .containsExactly(false, false, true);
            }
        }
    }

    /// As where a class is missing that it needs.
    @Test
    @Timeout(60)
    void an_attempt_that_throws_an_error_has_failed() {
        try (var threads = new Threads("test")) {
            var there = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
            var route =
                    new Route() {
                        @Override
                        public InetSocketAddress address() {
                            return there;
                        }

                        @Override
                        public SocketPath connect(Sockets sockets) {
                            throw new NoClassDefFoundError("Missing");
                        }
                    };
            var context = new MethodContext(threads, Duration.ofHours(1));
            Check<String> check = _ -> () -> "never";
            var race = new Race<>("node 1", List.of(route), check, context);
            assertThatThrownBy(race::run)
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("Missing");
        }
    }
}
