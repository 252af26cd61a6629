package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs in processes of their own, the client's connected by one node, the server's by another.
/// The server does not listen on the address that the client dials.
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapTest {
    private static final String RULES =
            "192.0.2.0/24 -> rank 1 over tcp; db.example.org -> rank 1 over tcp; *.far -> rank *";

    /// ECONNRESET on a machine with more to do than it can: docs/design/wrap.md.
    private static final String REFUSED =
            "blocking ECONNREFUSED\nconnect EINPROGRESS\nerror ECONN(REFUSED|RESET)";

    @TempDir private static Path folder;
    private static Hub hub;
    private static Node client;
    private static Node server;
    private static Agent clients;
    private static Agent servers;
    private static Path probe;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void join() throws Exception {
        System.setProperty("ibidem.launcher", Wrapped.launcher(folder).toString());
        probe = Wrapped.script(folder, "probe.py");
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        var join = Join.pool("wrap").hub("localhost:" + hub.port()).size(2);
        client = Node.join(join.rank(0));
        server = Node.join(join.rank(1));
        client.awaitMembers(2, Duration.ofSeconds(60));
        server.awaitMembers(2, Duration.ofSeconds(60));
        clients = Agent.start(client, RULES, "tcp", folder.resolve("c"));
        servers = Agent.start(server, "", "auto", folder.resolve("s"));
        Launcher.writeHosts(folder.resolve("hosts"), "wrap", 2, RULES);
    }

    @AfterAll
    static void leave() throws IOException {
        clients.close();
        servers.close();
        client.close();
        server.close();
        hub.close();
    }

    @AfterEach
    void end() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    }

    private Process start(String agent, String... program) throws IOException {
        var command =
                Launcher.command(
                        folder.resolve(agent), folder.resolve("hosts"), Arrays.asList(program));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private String client(String what, String host, int port, String... more) throws Exception {
        var command = new ArrayList<>(List.of("python3", probe.toString(), what, host, port + ""));
        command.addAll(List.of(more));
        return Wrapped.output(start("c", command.toArray(new String[0])));
    }

    /// Its port.
    private int server(String host) throws IOException {
        return server(host, "0");
    }

    private int server(String host, String port) throws IOException {
        var process = start("s", "python3", probe.toString(), "serve", host, port);
        var reader = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var line = reader.readLine();
        try {
            return Integer.parseInt(line);
        } catch (NumberFormatException e) {
            throw new AssertionError(line + "\n" + String.join("\n", reader.lines().toList()), e);
        }
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
        assertThat(client("refused", "127.80.0.1", port)).matches(REFUSED);
        assertThat(client("refused", "127.80.0.9", port).lines())
                .first()
                .isEqualTo("blocking EHOSTUNREACH");
    }

    @Test
    void a_server_that_ended_refuses() throws Exception {
        int port = server("127.0.0.1");
        assertThat(client("blocking", "127.80.0.1", port)).startsWith("hello");
        var process = started.getFirst();
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
                "waits | same 127.80.0.1:",
                "does not | connect EINPROGRESS error 0 same 127.80.0.1:",
                "six direct | connect EINPROGRESS error 0 same ::ffff:127.80.0.1:"
            })
    void programs_of_one_machine_are_connected_by_their_own_sockets(String how, String said)
            throws Exception {
        int port = server("127.0.0.1");
        Process program;
        try (var _ = Agent.start(client, "", "auto", folder.resolve("d"))) {
            var to = List.of("python3", "" + probe, how, "127.80.0.1", "" + port);
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
        var process = start("s", "python3", "" + probe, "serve", "127.0.0.1", "0");
        int port = Integer.parseInt(process.inputReader(StandardCharsets.UTF_8).readLine());
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        try (var _ = Agent.start(client, "", "auto", folder.resolve("d"))) {
            var refused = start("d", "python3", "" + probe, "refused", "127.80.0.1", "" + port);
            assertThat(Wrapped.output(refused)).matches(REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"connected", "unconnected"})
    void datagrams_go_there_and_back(String how) throws Exception {
        var port = freePort();
        awaitLine(start("s", "python3", "" + probe, "take", "127.0.0.1", "" + port), "ready");
        assertThat(client(how, "127.80.0.1", port))
                .isEqualTo("127.80.0.0 127.80.0.1:%d True".formatted(port));
        assertThat(client(how, "1.wrap.ibidem", port)).endsWith("True");
    }

    /// Who is not wrapped is not reached by them.
    @Test
    void datagrams_reach_nobody_else() throws Exception {
        try (var other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            var port = freePort();
            awaitLine(start("s", "python3", "" + probe, "take", "127.0.0.1", "" + port), "ready");
            var both =
                    ("import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
                                    + " s.sendto(b'x', ('127.80.0.1', %d));"
                                    + " s.sendto(b'y', ('127.80.0.1', %d));"
                                    + " s.settimeout(60); print(s.recvfrom(9999)[0].decode())")
                            .formatted(other.getLocalPort(), port);
            assertThat(Wrapped.output(start("c", "python3", "-c", both))).isEqualTo("127.80.0.0 y");
            other.setSoTimeout(1);
            assertThatThrownBy(() -> other.receive(new DatagramPacket(new byte[9], 9)))
                    .isInstanceOf(SocketTimeoutException.class);
        }
    }

    /// The kernel listens, then the agent, and then the program goes on; the test is the agent.
    @Test
    void a_program_s_listen_ends_when_other_nodes_reach_it() throws Exception {
        var ready = folder.resolve("ready");
        var program =
                ("import os, socket; s = socket.socket(); s.listen();"
                                + " print(os.path.exists('%s'), s.getsockname()[1])")
                        .formatted(ready);
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(UnixDomainSocketAddress.of(folder.resolve("l")));
            var process = start("l", "python3", "-c", program);
            try (var line = agent.accept()) {
                var bytes = ByteBuffer.allocate(2 * Message.BYTES); // a HELLO comes first
                while (bytes.hasRemaining() && line.read(bytes) >= 0) {}
                var listens = Message.decode(bytes.position(Message.BYTES));
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
        int port = server("127.0.0.1", "1");
        assertThat(client("blocking", "127.80.0.1", port))
                .isEqualTo("hello from 127.80.0.0 127.80.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (var here = new ServerSocket(0)) {
            return here.getLocalPort();
        }
    }

    private static void awaitLine(Process process, String part) throws IOException {
        var reader = process.inputReader(StandardCharsets.UTF_8);
        var said = new ArrayList<String>();
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            said.add(line);
            if (line.contains(part)) {
                return;
            }
        }
        throw new AssertionError("it ended without '" + part + "': " + said);
    }

    @Test
    void redis_serves_twenty_clients_at_once() throws Exception {
        Wrapped.require("redis-server", "redis-benchmark");
        var port = String.valueOf(freePort());
        var save = "--save";
        var redis = start("s", "redis-server", "--port", port, save, "", "--protected-mode", "no");
        awaitLine(redis, "Ready to accept");
        var bench = new ArrayList<>(List.of("redis-benchmark", "-h", "1.wrap.ibidem", "-p", port));
        bench.addAll(List.of("-n", "1000", "-c", "20", "-d", "2000", "-t", "set,get,lrange_100"));
        bench.add("--csv");
        assertThat(Wrapped.output(start("c", bench.toArray(new String[0]))))
                .contains("\"SET\",", "\"GET\",", "\"LRANGE_100 (first 100 elements)\",")
                .doesNotContainIgnoringCase("error");
    }

    @Test
    void rsync_copies_by_ssh() throws Exception {
        Wrapped.require("sshd", "ssh-keygen", "rsync");
        var port = String.valueOf(freePort());
        var key = folder.resolve("key").toString();
        Wrapped.assertEnds(
                new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
                        .inheritIO()
                        .start());
        var user = System.getProperty("user.name");
        if (user.equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // where it gives up its rights
        }
        var sshd = new ArrayList<>(List.of("/usr/sbin/sshd", "-D", "-e", "-f", "none"));
        sshd.addAll(List.of("-p", port, "-h", key, "-o", "AuthorizedKeysFile=" + key + ".pub"));
        sshd.addAll(List.of("-o", "StrictModes=no", "-o", "PermitRootLogin=yes"));
        sshd.addAll(List.of("-o", "LogLevel=DEBUG1"));
        var daemon = start("s", sshd.toArray(new String[0]));
        awaitLine(daemon, "Server listening");
        var ssh =
                "ssh -v -p %s -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -F none"
                        .formatted(port, key);
        var file = folder.resolve("file");
        var bytes = new byte[3_000_000];
        new Random(7).nextBytes(bytes);
        Files.write(file, bytes);
        var to = folder.resolve("copy");
        var copied = start("c", "rsync", "-e", ssh, "" + file, user + "@1.wrap.ibidem:" + to);
        var said = Wrapped.output(copied);
        assertThat(copied.exitValue())
                .as(() -> said + "\n--- sshd:\n" + Wrapped.rest(daemon))
                .isZero();
        assertThat(to).hasSameBinaryContentAs(file);
        var asked = start("c", "sh", "-c", ssh + " " + user + "@1.wrap.ibidem 'echo $SSH_CLIENT'");
        assertThat(Wrapped.output(asked)).contains("127.80.0.0 ");
    }

    @Test
    void what_is_no_tcp_is_left_alone() throws Exception {
        assertThat(client("others", "127.80.0.1", 9).lines())
                .containsExactly("datagrams 127.80.0.1:9", "unix ENOENT");
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
        var at = folder.resolve("a");
        var first = Agent.start(client, "", "tcp", at);
        first.close();
        var loop =
                "while ! python3 %s blocking 127.80.0.1 %d 2>/dev/null; do echo again; done"
                        .formatted(probe, port);
        var process = start("a", "sh", "-c", loop);
        var reader = process.inputReader(StandardCharsets.UTF_8);
        assertThat(reader.readLine()).as("by itself it reaches nobody there").isEqualTo("again");
        try (var _ = Agent.start(client, "", "tcp", at)) {
            assertThat(reader.lines().filter(line -> !line.equals("again")))
                    .containsExactly("hello from 127.80.0.0 127.80.0.1:" + port);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
