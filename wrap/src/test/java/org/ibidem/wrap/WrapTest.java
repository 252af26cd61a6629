package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs in processes of their own, the client's connected by one node, the server's by another,
/// by each of the two means. The server does not listen on the address that the client dials.
@ParameterizedClass
@EnumSource(Means.class)
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapTest {
    private static final String REFUSED =
            "blocking ECONNREFUSED\nconnect EINPROGRESS\nerror ECONNREFUSED";

    @RegisterExtension static final Sides sides = new Sides();

    private final Means means;

    WrapTest(Means means) {
        this.means = means;
    }

    private Process start(String agent, String... program) throws IOException {
        return sides.start(means, agent, program);
    }

    private String client(String what, String host, int port, String... more) throws Exception {
        var command =
                new ArrayList<>(List.of("python3", sides.probe.toString(), what, host, port + ""));
        command.addAll(List.of(more));
        return Wrapped.output(start("c", command.toArray(new String[0])));
    }

    /// Its port.
    private int server(String host) throws IOException {
        return sides.serve(means, host, "0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9"})
    void a_program_reaches_one_of_another_node(String where) throws Exception {
        int port = server(where);
        assertThat(client("blocking", "127.80.0.1", port))
                .isEqualTo("hello from 127.80.0.0 127.80.0.1:" + port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "poll"})
    void who_watches_the_socket_before_hears_when_the_way_is_there(String how) throws Exception {
        int port = server("127.0.0.1");
        // 0: the way was there by then, as the kernel says of any socket.
        assertThat(client(how, "127.80.0.1", port))
                .matches(
                        "connect EINPROGRESS again (EALREADY|0)\nerror 0\n"
                                + "hello from 127\\.80\\.0\\.0 127\\.80\\.0\\.1:"
                                + port);
    }

    @Test
    void rules_say_which_destinations_are_nodes_and_the_peer_has_the_address_that_was_dialled()
            throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("blocking", "192.0.2.7", port))
                .isEqualTo("hello from 127.80.0.0 192.0.2.7:" + port);
        assertThat(client("epoll", "192.0.2.8", port)).contains("192.0.2.8:" + port);
    }

    @Test
    void nodes_have_names() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("blocking", "1.wrap.ibidem", port)).startsWith("hello from 127.80.0.0");
    }

    @Test
    void rules_make_names_nodes() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("blocking", "db.example.org", port))
                .isEqualTo("hello from 127.80.0.0 127.81.0.0:" + port);
        assertThat(client("blocking", "1.far", port))
                .isEqualTo("hello from 127.80.0.0 127.81.0.2:" + port);
    }

    @Test
    void who_is_refused_hears_what_the_kernel_would_say() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        assertThat(client("refused", "127.80.0.1", port)).isEqualTo(REFUSED);
    }

    /// The supervisor takes two steps to it, and nobody reads what is between them.
    @Test
    void who_is_refused_again_and_again_hears_nothing_else() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        assertThat(client("refusals", "127.80.0.1", port, "300")).isEqualTo("ECONNREFUSED");
    }

    @Test
    void a_server_that_ended_refuses() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("blocking", "127.80.0.1", port)).startsWith("hello");
        var process = sides.first();
        process.destroy(); // the launcher passes it on
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(client("refused", "127.80.0.1", port)).startsWith("blocking ECONNREFUSED");
    }

    @Test
    void a_direction_ends_alone() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("half", "127.80.0.1", port)).isEqualTo("100000 bytes followed");
    }

    @Test
    void a_reset_arrives() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("reset", "127.80.0.1", port)).isEqualTo("read ECONNRESET");
    }

    @Test
    void threads_and_children_are_wrapped() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("many", "127.80.0.1", port, "100")).isEqualTo("100 1 0");
    }

    @Test
    void sockets_of_ipv6_reach_nodes() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("six", "127.80.0.1", port))
                .isEqualTo("hello from 127.80.0.0 ::ffff:127.80.0.1 " + port);
    }

    /// Nobody carries anything, so that the agents may even end.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "127.0.0.1 | waits | same 127.80.0.1:",
                "127.0.0.1 | does not | connect EINPROGRESS error 0 same 127.80.0.1:",
                "127.0.0.1 | six direct | connect EINPROGRESS error 0 same ::ffff:127.80.0.1:",
                "0.0.0.0 | waits | same 127.80.0.1:",
                "0.0.0.0 | does not | connect EINPROGRESS error 0 same 127.80.0.1:",
                "0.0.0.0 | six direct | connect EINPROGRESS error 0 same ::ffff:127.80.0.1:"
            })
    void programs_of_one_machine_are_connected_by_their_own_sockets(
            String where, String how, String said) throws Exception {
        int port = server(where);
        Process program;
        try (var _ = Agent.start(sides.client, "", "auto", sides.folder.resolve("d"))) {
            var to = List.of("python3", "" + sides.probe, how, "127.80.0.1", "" + port);
            program = start("d", to.toArray(new String[0]));
            var reader = program.inputReader(StandardCharsets.UTF_8);
            assertThat(reader.readLine()).isEqualTo(said + port);
        }
        try (var writer = program.outputWriter(StandardCharsets.UTF_8)) {
            writer.write("go on\n");
        }
        assertThat(program.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("more");
    }

    @Test
    void who_is_refused_at_a_port_of_this_machine_hears_it() throws Exception {
        var process = start("s", "python3", "" + sides.probe, "serve", "127.0.0.1", "0");
        int port = Integer.parseInt(process.inputReader(StandardCharsets.UTF_8).readLine());
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        try (var _ = Agent.start(sides.client, "", "auto", sides.folder.resolve("d"))) {
            var refused =
                    start("d", "python3", "" + sides.probe, "refused", "127.80.0.1", "" + port);
            assertThat(Wrapped.output(refused)).matches(REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connected", "unconnected"})
    void datagrams_go_there_and_back(String how) throws Exception {
        var port = Sides.freePort();
        Sides.awaitLine(
                start("s", "python3", "" + sides.probe, "take", "127.0.0.1", "" + port), "ready");
        assertThat(client(how, "127.80.0.1", port))
                .isEqualTo("127.80.0.0 127.80.0.1:%d True".formatted(port));
        assertThat(client(how, "1.wrap.ibidem", port)).endsWith("True");
    }

    /// Who is not wrapped is not reached by them.
    @Test
    void datagrams_reach_nobody_else() throws Exception {
        try (var other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            var port = Sides.freePort();
            Sides.awaitLine(
                    start("s", "python3", "" + sides.probe, "take", "127.0.0.1", "" + port),
                    "ready");
            var both =
                    """
                    import socket
                    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                    s.sendto(b'x', ('127.80.0.1', %d))
                    s.settimeout(2)
                    said = None
                    while said is None:
                        s.sendto(b'y', ('127.80.0.1', %d)) # a datagram may be lost
                        try:
                            said = s.recvfrom(9999)[0].decode()
                        except socket.timeout:
                            pass
                    print(said)
                    """
                            .formatted(other.getLocalPort(), port);
            assertThat(Wrapped.output(start("c", "python3", "-c", both))).isEqualTo("127.80.0.0 y");
            other.setSoTimeout(1);
            assertThatThrownBy(() -> other.receive(new DatagramPacket(new byte[9], 9)))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    /// What is of the rank itself is not carried, whatever stack was asked for.
    @Test
    void programs_of_one_rank_are_connected_by_their_own_sockets() throws Exception {
        var process = start("c", "python3", "" + sides.probe, "serve", "127.0.0.1", "0");
        var port = process.inputReader(StandardCharsets.UTF_8).readLine();
        var program = start("c", "python3", "" + sides.probe, "waits", "127.80.0.0", port);
        assertThat(program.inputReader(StandardCharsets.UTF_8).readLine())
                .isEqualTo("same 127.80.0.0:" + port);
        var nobody = start("c", "python3", "" + sides.probe, "refused", "127.80.0.0", "9");
        assertThat(Wrapped.output(nobody)).matches(REFUSED);
    }

    @Test
    void datagrams_come_from_the_port_that_they_were_sent_from() throws Exception {
        var port = Sides.freePort();
        var server =
                """
                import socket
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.bind(('127.0.0.1', %d))
                print('ready', flush=True)
                while True:
                    data, peer = s.recvfrom(9999)
                    s.sendto(b'%%s %%d' %% (peer[0].encode(), peer[1]), peer)
                """
                        .formatted(port);
        var client =
                """
                import socket
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                s.bind(('127.0.0.1', 0))
                s.settimeout(60)
                s.sendto(b'who', ('127.80.0.1', %d))
                print(s.recv(9999).decode() == '127.80.0.0 %%d' %% s.getsockname()[1])
                """
                        .formatted(port);
        Sides.awaitLine(start("s", "python3", "-c", server), "ready");
        assertThat(Wrapped.output(start("c", "python3", "-c", client))).isEqualTo("True");
    }

    /// A program that has bound its rank's address tells others of the port that it was given.
    @Test
    void of_a_port_that_the_kernel_chooses_the_agent_hears() throws Exception {
        var program =
                "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
                        + " s.bind(('127.80.0.5', 0)); print('%s %d' % s.getsockname())";
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(UnixDomainSocketAddress.of(sides.folder.resolve("b-" + means)));
            var process = start("b-" + means, "python3", "-c", program);
            try (var line = agent.accept()) {
                var binds = second(line);
                assertThat(binds.kind()).isEqualTo(Message.Kind.BINDS);
                assertThat(binds.about().getPort()).isPositive();
                line.write(Message.to(Message.Kind.CONTINUE, binds.id(), 0).encode());
                assertThat(Wrapped.output(process))
                        .isEqualTo("127.80.0.5 " + binds.about().getPort());
            }
        }
    }

    /// An agent's rules stay as they are: the test is the agent.
    @Test
    void of_a_destination_that_is_no_node_the_agent_is_asked_once() throws Exception {
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var there = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            agent.bind(UnixDomainSocketAddress.of(sides.folder.resolve("o-" + means)));
            var program =
                    "import socket\nfor i in range(3): socket.create_connection(('127.0.0.1', %d))"
                            .formatted(there.getLocalPort());
            var process = start("o-" + means, "python3", "-c", program);
            try (var line = agent.accept()) {
                var connects = second(line);
                assertThat(connects.kind()).isEqualTo(Message.Kind.CONNECTS);
                line.write(Message.to(Message.Kind.CONTINUE, connects.id(), 0).encode());
                assertThat(line.read(ByteBuffer.allocate(Message.BYTES))).isEqualTo(-1);
            }
            assertThat(process.waitFor()).isZero();
        }
    }

    /// What comes behind the launcher's HELLO.
    private static Message second(SocketChannel line) throws IOException {
        var bytes = ByteBuffer.allocate(2 * Message.BYTES);
        while (bytes.hasRemaining() && line.read(bytes) >= 0) {}
        return Message.decode(bytes.position(Message.BYTES));
    }

    /// The kernel listens, then the agent, and then the program goes on; the test is the agent.
    @Test
    void a_program_s_listen_ends_when_other_nodes_reach_it() throws Exception {
        var ready = sides.folder.resolve("ready-" + means);
        var program =
                ("import os, socket; s = socket.socket(); s.listen();"
                                + " print(os.path.exists('%s'), s.getsockname()[1])")
                        .formatted(ready);
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(UnixDomainSocketAddress.of(sides.folder.resolve("l-" + means)));
            var process = start("l-" + means, "python3", "-c", program);
            try (var line = agent.accept()) {
                var listens = second(line);
                assertThat(listens.kind()).isEqualTo(Message.Kind.LISTENS);
                int port = listens.about().getPort();
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                Files.createFile(ready);
                line.write(Message.to(Message.Kind.CONTINUE, listens.id(), 0).encode());
                assertThat(Wrapped.output(process)).isEqualTo("True " + port);
            }
        }
    }

    /// As of programs in Go.
    @Test
    void listeners_of_multipath_tcp_are_reached() throws Exception {
        int port = sides.serve(means, "127.0.0.1", "1");
        assertThat(client("blocking", "127.80.0.1", port))
                .isEqualTo("hello from 127.80.0.0 127.80.0.1:" + port);
    }

    @Test
    void what_is_no_tcp_is_left_alone() throws Exception {
        assertThat(client("others", "127.80.0.1", 9).lines())
                .containsExactly("datagrams 127.80.0.1:9", "unix ENOENT");
    }

    /// Nothing of Ibidem's runs in it, also not after a connect: docs/design/sharing.md.
    @Test
    void a_program_has_the_threads_signals_and_descriptors_that_it_has_alone() throws Exception {
        int port = server("127.0.0.1");
        var program =
                """
                import os, socket
                try: socket.create_connection(('%s', %d)).close()
                except OSError: pass
                names = ('Threads', 'SigBlk', 'SigIgn', 'SigCgt')
                print([line.split() for line in open('/proc/self/status') if line.startswith(names)],
                      sorted(os.listdir('/proc/self/fd')))
                """;
        var alone = new ProcessBuilder("python3", "-c", program.formatted("127.0.0.1", port));
        var wrapped = start("c", "python3", "-c", program.formatted("127.80.0.1", port));
        assertThat(Wrapped.output(wrapped))
                .isEqualTo(Wrapped.output(alone.redirectErrorStream(true).start()));
    }

    @Test
    void the_program_s_end_is_the_launcher_s() throws Exception {
        var seven = start("c", "sh", "-c", "exit 7");
        assertThat(seven.waitFor()).isEqualTo(7);
        var none = start("c", "there-is-no-such-program");
        assertThat(Wrapped.output(none)).contains("there-is-no-such-program: No such file");
        assertThat(none.exitValue()).isEqualTo(127);
        var killed = start("c", "sh", "-c", "kill -9 $$");
        assertThat(killed.waitFor()).isEqualTo(128 + 9);
    }

    @Test
    void without_an_agent_a_program_is_as_it_is_alone() throws Exception {
        int port;
        try (var here = new ServerSocket(0)) {
            port = here.getLocalPort();
            var process =
                    start(
                            "none",
                            "python3",
                            "-c",
                            "import socket; s = socket.create_connection(('127.0.0.1', %d)); print('native')"
                                    .formatted(port));
            assertThat(Wrapped.output(process)).isEqualTo("native");
        }
    }

    @Test
    void an_agent_that_ends_leaves_no_program_waiting_and_the_next_one_is_found() throws Exception {
        int port = server("127.0.0.1");
        var at = sides.folder.resolve("a");
        var first = Agent.start(sides.client, "", "tcp", at);
        first.close();
        var loop =
                "while ! python3 %s blocking 127.80.0.1 %d 2>/dev/null; do echo again; done"
                        .formatted(sides.probe, port);
        var process = start("a", "sh", "-c", loop);
        var reader = process.inputReader(StandardCharsets.UTF_8);
        assertThat(reader.readLine()).as("by itself it reaches nobody there").isEqualTo("again");
        try (var _ = Agent.start(sides.client, "", "tcp", at)) {
            assertThat(reader.lines().filter(line -> !line.equals("again")))
                    .containsExactly("hello from 127.80.0.0 127.80.0.1:" + port);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
