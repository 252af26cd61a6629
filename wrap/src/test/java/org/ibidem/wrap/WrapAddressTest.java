package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The addresses and ports that a carried connection has, which programs tell others (FTP, SIP).
@ParameterizedClass
@EnumSource(Means.class)
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapAddressTest {
    /// Says to each client the server's own address, and the port that it comes from.
    private static final String SERVER =
            """
            import socket
            s = socket.socket(); s.setsockopt(1, 2, 1); s.bind(('0.0.0.0', 0)); s.listen(9)
            MORE
            print(s.getsockname()[1], flush=True)
            while True:
                c, peer = s.accept()
                c.sendall(b'%s %d' % (c.getsockname()[0].encode(), peer[1]))
                c.close()
            """;

    @RegisterExtension static final Sides sides = new Sides();

    private final Means means;

    WrapAddressTest(Means means) {
        this.means = means;
    }

    private int server(String more) throws IOException {
        return Sides.port(sides.start(means, "s", "python3", "-c", SERVER.replace("MORE", more)));
    }

    private String client(String program) throws Exception {
        return Wrapped.output(
                sides.start(means, "c", "python3", "-c", "import socket\n" + program));
    }

    @ParameterizedTest
    @ValueSource(strings = {"AF_INET, '127.80.0.1'", "AF_INET6, '::ffff:127.80.0.1'"})
    void both_ends_have_the_address_of_their_own_rank(String family) throws Exception {
        var words = family.split(", ", -1);
        var said =
                client(
                        """
                        s = socket.socket(socket.%s); s.connect((%s, %d)); s.settimeout(60)
                        print(s.getsockname()[0], s.getpeername()[0], s.recv(99).decode())
                        """
                                .formatted(words[0], words[1], server("")));
        assertThat(said.replace("::ffff:", "")).startsWith("127.80.0.0 127.80.0.1 127.80.0.1 ");
    }

    /// A server may share its port with others of its user, and so with what awaits the client.
    @Test
    void a_server_that_shares_its_port_is_reached() throws Exception {
        int port =
                server(
                        """
                        s.close(); s = socket.socket(); s.setsockopt(1, socket.SO_REUSEPORT, 1)
                        s.bind(('0.0.0.0', 0)); s.listen(9)\
                        """);
        assertThat(
                        client(
                                """
                                s = socket.create_connection(('127.80.0.1', %d), 60)
                                print('%%s:%%d' %% s.getpeername(), s.recv(99).decode().split()[0])
                                """
                                        .formatted(port)))
                .isEqualTo("127.80.0.1:%d 127.80.0.1".formatted(port));
    }

    /// Below are those that the kernel gives to programs: what an agent keeps there, they miss.
    @Test
    void a_client_comes_from_a_port_that_the_kernel_gives_to_nobody() throws Exception {
        var said =
                client(
                        """
                        s = socket.create_connection(('127.80.0.1', %d), 60)
                        last = int(open('/proc/sys/net/ipv4/ip_local_port_range').read().split()[1])
                        print(int(s.recv(99).split()[1]) > last)
                        """
                                .formatted(server("")));
        assertThat(said).isEqualTo("True");
    }

    /// From the address of its rank it would reach nobody but programs of this machine.
    @Test
    void a_socket_that_was_refused_connects_elsewhere_from_there() throws Exception {
        int port = Sides.freePort();
        var said =
                client(
                        """
                        l = socket.socket(); l.bind(('127.0.0.1', 0)); l.listen(1)
                        def refused(s):
                            e = s.connect_ex(('127.80.0.1', %d))
                            if e == 115:
                                import select; p = select.poll(); p.register(s, select.POLLOUT)
                                p.poll(60000); e = s.getsockopt(1, 4)
                                s.connect_ex(l.getsockname()) # ECONNABORTED, as by any kernel
                            return e
                        for waits in True, False:
                            s = socket.socket(); s.setblocking(waits)
                            print(refused(s), end=' ')
                            s.setblocking(True); s.connect(l.getsockname())
                            print(s.getsockname()[0])
                        """
                                .formatted(port));
        assertThat(said).isEqualTo("111 127.0.0.1\n111 127.0.0.1");
    }
}
