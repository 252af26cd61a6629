package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Connects from ports of a rank's address, which no other test has.
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class SourcePortsTest {
    private static final InetAddress RANK = InetAddress.ofLiteral("127.80.77.1");
    private static final InetAddress LOCAL = InetAddress.ofLiteral("127.0.0.1");

    /// The kernel's range ends at 65435, so that 100 ports are left.
    private static final String NARROW = "1024\t65435\n";

    private static InetSocketAddress at(ServerSocket server) {
        return new InetSocketAddress(LOCAL, server.getLocalPort());
    }

    private static int port(SocketChannel socket) throws IOException {
        return ((InetSocketAddress) socket.getLocalAddress()).getPort();
    }

    /// The side that ends first keeps its port for a minute.
    private static int connectAndEnd(SourcePorts ports, ServerSocket server) throws IOException {
        try (var near = ports.connect(RANK, at(server));
                var accepted = server.accept()) {
            near.shutdownOutput();
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            accepted.shutdownOutput();
            assertThat(near.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            return port(near);
        }
    }

    @Test
    void short_connections_take_the_same_ports_again() throws Exception {
        try (var server = new ServerSocket(0, 50, LOCAL)) {
            var ports = SourcePorts.beside(NARROW);
            var taken = new HashSet<Integer>();
            for (int i = 0; i < 500; i++) {
                taken.add(connectAndEnd(ports, server));
            }
            assertThat(taken).allMatch(port -> port > 65_435).hasSizeLessThanOrEqualTo(100);
        }
    }

    @Test
    void a_port_whose_connection_lives_is_passed_over() throws Exception {
        var open = new ArrayList<AutoCloseable>();
        try (var server = new ServerSocket(0, 50, LOCAL)) {
            var ports = SourcePorts.beside(NARROW);
            var taken = new HashSet<Integer>();
            for (int i = 0; i < 150; i++) { // more than are its own: then the kernel's
                var near = ports.connect(RANK, at(server));
                open.add(near);
                Socket accepted = server.accept();
                open.add(accepted);
                taken.add(port(near));
            }
            assertThat(taken).hasSize(150).anyMatch(port -> port > 65_435);
        } finally {
            for (var each : open) {
                each.close();
            }
        }
    }

    @Test
    void a_refusal_is_not_tried_again() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0, 1, LOCAL)) {
            port = nobody.getLocalPort();
        }
        var to = new InetSocketAddress(LOCAL, port);
        assertThatThrownBy(() -> SourcePorts.beside().connect(RANK, to))
                .isInstanceOf(ConnectException.class)
                .isNotInstanceOf(BindException.class);
    }

    @Test
    void a_kernel_that_has_all_ports_gives_its_own() throws Exception {
        try (var server = new ServerSocket(0, 50, LOCAL)) {
            var ports = SourcePorts.beside("64000 65535");
            assertThat(connectAndEnd(ports, server)).isBetween(64_000, 65_535);
        }
    }
}
