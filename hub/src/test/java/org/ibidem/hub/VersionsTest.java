package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import org.ibidem.accept.Listener;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Join;
import org.ibidem.registry.JoinRefused.VersionDiffers;
import org.ibidem.registry.Node;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A node and a hub of different releases.
class VersionsTest {
    private static final byte[] VERSIONS_7_TO_9 = {'I', 'B', 'D', 'M', 7, 0, 9, 0};

    private final Threads tasks = new Threads("another release");
    private final Handshake handshake = new Handshake(Identity.create(), tasks, Heard.LONG);

    @AfterEach
    void end() {
        tasks.close();
    }

    private static Join to(int... ports) {
        var join = Join.pool("demo");
        for (int port : ports) {
            join = join.hub("127.0.0.1:" + port);
        }
        return join;
    }

    /// The answer is docs/wire/handshake.md's for a peer without a common version.
    private ServerSocket hubOfAnotherProtocol() throws IOException {
        var listening = new ServerSocket(0, 9, InetAddress.getLoopbackAddress());
        tasks.start(
                "hub of another protocol",
                () -> {
                    try {
                        while (true) {
                            var one = listening.accept();
                            one.getInputStream().readNBytes(VERSIONS_7_TO_9.length);
                            one.getOutputStream().write(VERSIONS_7_TO_9);
                            one.shutdownOutput();
                            one.getInputStream().readAllBytes();
                            one.close();
                        }
                    } catch (IOException _) {
                        // the test is over
                    }
                });
        return listening;
    }

    private static int free() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void a_hub_of_another_protocol_version_is_an_exception_of_its_own() throws Exception {
        try (var other = hubOfAnotherProtocol()) {
            for (boolean open : new boolean[] {false, true}) {
                assertThatThrownBy(() -> Node.join(to(other.getLocalPort()).open(open)))
                        .isInstanceOf(VersionDiffers.class)
                        .hasMessageContaining("127.0.0.1:" + other.getLocalPort())
                        .hasMessageContaining("the peer speaks version 7 to 9 of the protocol, we")
                        .hasMessageContaining("use the same release of Ibidem at both ends");
            }
        }
    }

    @Test
    void it_is_told_with_what_came_of_the_other_hubs() throws Exception {
        int nobody = free();
        try (var other = hubOfAnotherProtocol()) {
            assertThatThrownBy(() -> Node.join(to(nobody, other.getLocalPort())))
                    .isInstanceOf(VersionDiffers.class)
                    .hasMessageContaining("127.0.0.1:" + nobody + " refused")
                    .hasMessageContaining("version 7 to 9")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
        }
    }

    @Test
    void another_hub_of_the_right_version_is_used() throws Exception {
        try (var other = hubOfAnotherProtocol();
                var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(to(other.getLocalPort(), hub.port()))) {
            assertThat(node.rank()).isZero();
        }
    }

    @Test
    void a_hub_of_another_registry_version_is_the_same_exception() {
        try (var other = Listener.open(0, false, handshake, tasks)) {
            other.serve(
                    Purpose.BOOTSTRAP,
                    Admission.ALL,
                    proved -> {
                        var link = ControlLink.over(proved, tasks, ControlLink.Limits.DEFAULT);
                        link.receive();
                        link.send(
                                ReplyCoding.encode(
                                        new Reply.Refused(
                                                JoinRefusal.VERSION, "this hub speaks 99")));
                        link.receive();
                    });
            assertThatThrownBy(() -> Node.join(to(other.port())))
                    .isInstanceOf(VersionDiffers.class)
                    .hasMessageContaining("hub 127.0.0.1:" + other.port() + ": this hub speaks 99")
                    .hasMessageContaining("use the same release");
        }
    }

    @Test
    void a_hub_tells_a_node_of_another_registry_version_which_one_it_speaks() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var channel = SocketChannel.open(hub.addresses().getFirst())) {
            var link =
                    ControlLink.over(
                            handshake.initiate(
                                    new SocketPath(channel), Hello.bootstrap("demo", hub.id())),
                            tasks,
                            ControlLink.Limits.DEFAULT);
            link.send(RequestCoding.encode(new Request.Unspoken(99)));
            assertThat(ReplyCoding.decode(link.receive()))
                    .isEqualTo(
                            new Reply.Refused(
                                    JoinRefusal.VERSION,
                                    "this hub speaks version "
                                            + Protocol.VERSION
                                            + " of the registry protocol, not 99"));
            assertThat(link.receive()).isNull();
        }
    }
}
