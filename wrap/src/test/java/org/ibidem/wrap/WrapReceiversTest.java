package org.ibidem.wrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import org.ibidem.wrap.Sides.Means;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Programs that receive datagrams at ports that others have, too, and at many of them.
@ParameterizedClass
@EnumSource(Means.class)
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
class WrapReceiversTest {
    private static final String SOCKET =
            "import socket\ndef new(): return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n";

    @RegisterExtension static final Sides sides = new Sides();

    private final Means means;

    WrapReceiversTest(Means means) {
        this.means = means;
    }

    private Process start(String agent, String program) throws Exception {
        return sides.start(means, agent, "python3", "-c", SOCKET + program);
    }

    /// Sends until it is answered.
    private String ask(int port) throws Exception {
        return Wrapped.output(
                start(
                        "c",
                        """
                        s = new(); s.settimeout(1); said = None
                        while not said:
                            s.sendto(b'x', ('127.80.0.1', %d))
                            try: said = s.recv(99).decode()
                            except TimeoutError: pass
                        print(said)
                        """
                                .formatted(port)));
    }

    private static final String ANSWERS =
            """
            print('ready', flush=True)
            while True:
                data, peer = s.recvfrom(99)
                s.sendto(peer[0].encode(), peer)
            """;

    @Test
    void a_server_is_reached_after_many_others_that_are_closed() throws Exception {
        int port = Sides.freePort();
        var server =
                """
                for i in range(600):
                    s = new()
                    try: s.bind(('127.0.0.1', 20000 + i))
                    except OSError: pass
                    s.close()
                s = new(); s.bind(('127.0.0.1', %d))
                """
                        .formatted(port);
        Sides.awaitLine(start("s", server + ANSWERS), "ready");
        assertThat(ask(port)).isEqualTo("127.80.0.0");
    }

    /// Both agents are on this machine, and the kernel would give it to the server itself.
    @Test
    void who_receives_at_all_addresses_sees_the_rank_that_sends() throws Exception {
        int port = Sides.freePort();
        var server = "s = new(); s.bind(('0.0.0.0', %d))\n".formatted(port);
        Sides.awaitLine(start("s", server + ANSWERS), "ready");
        assertThat(ask(port)).isEqualTo("127.80.0.0");
    }

    @Test
    void what_goes_to_the_own_port_of_another_rank_does_not_come_back() throws Exception {
        var program =
                """
                def own(s):
                    s.sendto(b'other', ('127.80.0.1', %1$d))
                    s.sendto(b'own', ('127.0.0.1', %1$d))
                    s.settimeout(60)
                    return s.recv(99).decode()
                s = new(); s.bind(('0.0.0.0', %1$d)); print(own(s))
                try: new().bind(('0.0.0.0', %1$d))
                except OSError as e: print('taken' if e.errno == 98 else e)
                s.close() # the agent receives at that rank's port still
                s = new(); s.bind(('0.0.0.0', %1$d)); print(own(s))
                """
                        .formatted(Sides.freePort());
        assertThat(Wrapped.output(start("c", program)).lines())
                .containsExactly("own", "taken", "own");
    }

    /// One that nobody wraps keeps its port: what is sent to a rank's must not go there.
    @Test
    void what_would_go_to_another_program_is_unreachable() throws Exception {
        try (var other = new DatagramSocket(0)) {
            var program =
                    """
                    try: new().sendto(b'x', ('127.80.0.1', %d)); print('sent')
                    except OSError as e: print(e.errno)
                    """
                            .formatted(other.getLocalPort());
            assertThat(Wrapped.output(start("c", program))).isEqualTo("113");
        }
    }

    /// The next agent hears of what is open, all of it: the test is the agent, twice.
    @Test
    void the_next_agent_is_told_of_all_that_is_open() throws Exception {
        var at = UnixDomainSocketAddress.of(sides.folder.resolve("n-" + means));
        var program =
                """
                import time
                def some(n):
                    all = []
                    for i in range(n):
                        s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); all.append(s)
                    return [s.getsockname()[1] for s in all], all
                closed, sockets = some(300)
                for s in sockets: s.close()
                opened, sockets = some(600)
                print(*opened, flush=True)
                input()
                """;
        Process process;
        var heard = new HashSet<Integer>();
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(at);
            process = start("n-" + means, program);
            try (var line = agent.accept()) {
                for (int i = 0; i < 901; i++) {
                    var message = next(line);
                    if (message.kind() == Message.Kind.LISTENS) {
                        line.write(Message.to(Message.Kind.CONTINUE, message.id(), 0).encode());
                    }
                }
            }
        }
        Files.delete(at.getPath());
        var opened = process.inputReader(StandardCharsets.UTF_8).readLine().split(" ", -1);
        try (var agent = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            agent.bind(at);
            try (var line = agent.accept()) {
                assertThat(next(line).kind()).isEqualTo(Message.Kind.HELLO);
                for (int i = 0; i < 600; i++) {
                    heard.add(next(line).about().getPort());
                }
            }
        }
        assertThat(heard)
                .hasSize(600)
                .contains(Arrays.stream(opened).map(Integer::valueOf).toArray(Integer[]::new));
    }

    private static Message next(SocketChannel line) throws Exception {
        var bytes = ByteBuffer.allocate(Message.BYTES);
        while (bytes.hasRemaining()) {
            assertThat(line.read(bytes)).isPositive();
        }
        return Message.decode(bytes.flip());
    }
}
