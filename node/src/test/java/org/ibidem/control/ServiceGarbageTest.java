package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ibidem.Logged;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A member that proved who it is and then sends garbage over a service link.
class ServiceGarbageTest {
    private final Threads threads = new Threads("test");
    private final NodeRuntime node =
            NodeRuntime.begun(
                    Identity.create(),
                    "demo",
                    false,
                    id -> {
                        throw new IllegalStateException("nobody knows " + id);
                    },
                    threads);
    private final Handshake stranger = new Handshake(Identity.create(), threads, Handshake.LIMIT);

    @AfterEach
    void close() {
        node.close();
        threads.close();
    }

    private SocketChannel dial() throws IOException {
        var channel = SocketChannel.open(node.listener().addresses().getFirst());
        stranger.initiate(new SocketPath(channel), Hello.service("demo", node.id()));
        return channel;
    }

    @Test
    void garbage_ends_the_link_with_a_logged_reason_and_another_one_is_served() throws IOException {
        try (var logged = new Logged(Peers.class);
                var channel = dial()) {
            channel.write(ByteBuffer.wrap(new byte[] {6, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0}));
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            var id = stranger.identity().id().toString();
            // Other nodes of this JVM have something to say, too.
            eventually(
                    "it is logged",
                    () -> logged.lines().stream().anyMatch(line -> line.contains(id)));
            assertThat(logged.lines())
                    .filteredOn(line -> line.contains(id))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING service link of node " + id + " closed: ")
                    .contains("99 is no kind of message");
        }
        try (var again = dial()) {
            var echo = ServiceLink.asking(ServiceLink.REQUEST, 1, Peers.ECHO, new byte[] {42});
            again.write(ByteBuffer.wrap(new byte[] {(byte) echo.length, 0, 0, 0, 0}));
            again.write(ByteBuffer.wrap(echo));
            var answer = ByteBuffer.allocate(5 + 1 + 4 + 1);
            while (answer.hasRemaining()) {
                assertThat(again.read(answer)).isPositive();
            }
            assertThat(answer.get(10)).isEqualTo((byte) 42);
        }
    }
}
