package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.wrap.Message.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// An agent that dies while programs wait, and one that is told anything at all.
@Timeout(300)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class AgentBadDayTest {
    private static final int MESSAGES = 1_000;
    private static final int LINES = 4;
    private static final String AT = "agent";

    private static final String ORPHAN =
            """
            import errno, socket, threading
            s = socket.create_connection(('127.0.0.1', PORT))
            words = []
            def tell(what, call, *arguments):
                try:
                    call(*arguments)
                    words.append(what)
                except OSError as e:
                    words.append(what + ' ' + errno.errorcode[e.errno])
            waits = threading.Thread(target=tell, args=('waited', socket.socket().connect, ('127.80.0.9', 9)))
            waits.start()
            s.recv(1)
            waits.join()
            waited = words.pop()
            tell('connect', socket.socket().connect, ('127.0.0.1', PORT))
            tell('listen', socket.socket().listen)
            tell('sendto', socket.socket(type=socket.SOCK_DGRAM).sendto, b'', ('127.0.0.1', 9))
            s.sendall(','.join(words + [waited]).encode())
            """;

    @TempDir private static Path folder;
    private static Path probe;
    private static Hub hub;
    private static Node node;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void join() throws Exception {
        System.setProperty("ibidem.launcher", Wrapped.launcher(folder).toString());
        probe = Wrapped.script(folder, "probe.py");
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        node = Node.join(Join.pool("bad").hub("localhost:" + hub.port()).size(1));
        node.awaitMembers(1, Duration.ofSeconds(60));
    }

    @AfterAll
    static void leave() throws IOException {
        node.close();
        hub.close();
    }

    @AfterEach
    void end() {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
    }

    private Process probe(String what, int port, String... more) throws IOException {
        var program = new ArrayList<>(List.of("python3", probe.toString(), what, "127.80.0.0"));
        program.add(String.valueOf(port));
        program.addAll(List.of(more));
        var command = Launcher.command(folder.resolve(AT), Path.of("-"), program);
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private int server() throws IOException {
        var command = List.of("python3", probe.toString(), "serve", "127.0.0.1", "0");
        var server =
                new ProcessBuilder(Launcher.command(folder.resolve(AT), Path.of("-"), command))
                        .redirectErrorStream(true)
                        .start();
        started.add(server);
        return Integer.parseInt(server.inputReader(StandardCharsets.UTF_8).readLine());
    }

    private static Message next(SocketChannel line, Kind kind) throws IOException {
        while (true) {
            var bytes = ByteBuffer.allocate(Message.BYTES);
            while (bytes.hasRemaining()) {
                if (line.read(bytes) < 0) {
                    throw new IOException("the launcher is gone");
                }
            }
            var message = Message.decode(bytes.flip());
            if (message.kind() == kind) {
                return message;
            }
        }
    }

    /// The kernel answers in its place: nobody listens there.
    @Test
    void who_waits_in_a_connect_when_the_agent_dies_is_answered() throws Exception {
        int port;
        try (var nobody = new ServerSocket(0)) {
            port = nobody.getLocalPort();
        }
        Process process;
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(UnixDomainSocketAddress.of(folder.resolve(AT)));
            process = probe("refused", port);
            try (var line = agent.accept()) {
                var call = next(line, Kind.CONNECTS);
                var hold = new Message(Kind.HOLD, false, 0, call.id(), call.about());
                line.write(hold.encode());
                assertThat(next(line, Kind.HELD).value()).isPositive();
            }
        }
        assertThat(Wrapped.output(process)).startsWith("blocking ECONNREFUSED");
    }

    /// One thread waits in a connect about which the agent says nothing when the supervisor, the
    /// program's parent, is killed; what was connected before goes on, and no later call hangs.
    @Test
    void who_waits_in_a_connect_when_the_supervisor_is_killed_is_answered_and_nothing_hangs()
            throws Exception {
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                var there = new ServerSocket(0)) {
            agent.bind(UnixDomainSocketAddress.of(folder.resolve("silent")));
            var program = ORPHAN.replace("PORT", "" + there.getLocalPort());
            var command =
                    Launcher.command(
                            folder.resolve("silent"),
                            Path.of("-"),
                            List.of("python3", "-c", program));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            started.add(process);
            try (var line = agent.accept()) {
                var first = next(line, Kind.CONNECTS);
                line.write(Message.to(Kind.CONTINUE, first.id(), 0).encode());
                try (var connected = there.accept()) {
                    next(line, Kind.CONNECTS); // the one that waits
                    var supervisor = process.children().findFirst().orElseThrow();
                    supervisor.destroyForcibly();
                    supervisor.onExit().get(60, TimeUnit.SECONDS);
                    connected.getOutputStream().write('\n');
                    assertThat(connected.getInputStream().readAllBytes())
                            .asString(StandardCharsets.US_ASCII)
                            .isEqualTo("connect ENOSYS,listen ENOSYS,sendto ENOSYS,waited ENOSYS");
                }
            }
            assertThat(process.waitFor()).isEqualTo(125);
        }
    }

    @Test
    void an_agent_serves_others_whatever_one_launcher_says() throws Exception {
        try (var _ = Agent.start(node, "", "tcp", folder.resolve(AT))) {
            for (int i = 0; i < LINES; i++) {
                rave(new Random(i));
            }
            int port = server();
            assertThat(Wrapped.output(probe("blocking", port))).startsWith("hello from 127.80.0.0");
        }
    }

    private static void readAll(SocketChannel line) {
        try {
            var bytes = ByteBuffer.allocate(MESSAGES);
            while (line.read(bytes.clear()) >= 0) {}
        } catch (IOException _) {
            // it has said enough
        }
    }

    private static void rave(Random random) throws IOException {
        var at = UnixDomainSocketAddress.of(folder.resolve(AT));
        try (var line = SocketChannel.open(at)) {
            Thread.ofVirtual().start(() -> readAll(line)); // else neither end goes on
            for (int i = 0; i < MESSAGES; i++) {
                var bytes = new byte[Message.BYTES];
                random.nextBytes(bytes);
                var message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
                message.put(0, (byte) (1 + random.nextInt(6)));
                if (random.nextBoolean()) { // a rank
                    message.putLong(16, 0).putInt(24, 0xFFFF_0000);
                    message.putInt(28, 127 | 80 << 8 | random.nextInt(1 << 16) << 16);
                }
                line.write(message);
            }
            line.write(ByteBuffer.wrap(new byte[] {99, 0})); // and ends in the middle
        }
    }

    @Test
    @Tag("full")
    void ten_thousand_connects() throws Exception {
        try (var _ = Agent.start(node, "", "tcp", folder.resolve(AT))) {
            int port = server();
            assertThat(Wrapped.output(probe("often", port, "10000"))).isEqualTo("10000 1");
        }
    }

    @Test
    void many_connects_one_after_the_other_from_many_threads() throws Exception {
        try (var _ = Agent.start(node, "", "tcp", folder.resolve(AT))) {
            int port = server();
            assertThat(Wrapped.output(probe("often", port, "500"))).isEqualTo("500 1");
        }
    }
}
