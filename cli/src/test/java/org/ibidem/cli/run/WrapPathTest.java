package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.wrap.Launcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Two agents of a machine, each in a process of its own, as the kernel sees them: which sockets
/// listen, and who calls while two programs exchange bytes. To the clients' agent [#CARRIED] is the
/// servers' rank over a stack that was asked for; the rank's own address takes none.
@Tag("lab")
@Isolated("looks at processes")
@Timeout(200)
@EnabledOnOs(OS.LINUX)
class WrapPathTest {
    private static final String CARRIED = "127.99.0.2";
    private static final String DIRECT = "127.80.0.1";
    private static final int TIMES = 4_000;
    private static final int BYTES = 16_384;

    /// What the nodes' own connections and the strace of a call that is under way may take.
    private static final int FEW = TIMES / 10;

    private static final String SERVER =
            """
            import socket
            l = socket.socket()
            l.bind(('0.0.0.0', 0))
            l.listen()
            print(l.getsockname()[1], flush=True)
            while True:
                s = l.accept()[0]
                count = 0
                while data := s.recv(1 << 16):
                    count += len(data)
                s.sendall(b'%d\\n' % count)
                s.close()
            """;

    private static final String CLIENT =
            """
            import socket, sys
            s = socket.create_connection(('HOST', PORT), 60)
            s.settimeout(None)
            data = b'x' * BYTES
            print('connected', flush=True)
            sys.stdin.readline()
            for _ in range(TIMES):
                if s.send(data) != len(data): raise OSError('sent by half')
            s.shutdown(socket.SHUT_WR)
            print(s.makefile().readline().strip(), flush=True)
            sys.stdin.readline()
            """
                    .replace("BYTES", "" + BYTES)
                    .replace("TIMES", "" + TIMES);

    @TempDir private static Path folder;
    private static Hub hub;
    private static Launched clients;
    private static Launched servers;
    private static Process server;
    private static String port;

    /// Before a program was there.
    private static Set<String> before;

    private final List<Process> started = new ArrayList<>();

    @BeforeAll
    static void begin() throws Exception {
        System.setProperty("ibidem.launcher", WrapCommandTest.built(folder).toString());
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        servers = agent("s", "1", "");
        clients = agent("c", "2", CARRIED + " -> rank 1 over tcp");
        servers.awaitLine("agent of rank 1 ");
        clients.awaitLine("agent of rank 2 ");
        before = listening(servers.process().toHandle(), clients.process().toHandle());
        server = wrapped("s", SERVER);
        port = server.inputReader(StandardCharsets.US_ASCII).readLine();
    }

    private static Launched agent(String name, String rank, String rules) throws IOException {
        var all = new ArrayList<>(List.of("--hub", "localhost:" + hub.port(), "--pool", "path"));
        all.addAll(List.of("--rank", rank, "--rules", rules, folder.resolve(name).toString()));
        return Launched.tool(folder, "agent", all.toArray(String[]::new));
    }

    private static Process wrapped(String agent, String program) throws IOException {
        var command =
                Launcher.command(
                        folder.resolve(agent), Path.of("-"), List.of("python3", "-c", program));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    @AfterAll
    static void leave() throws IOException {
        System.clearProperty("ibidem.launcher");
        if (server != null) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
        }
        for (var each : Stream.of(clients, servers).filter(one -> one != null).toList()) {
            each.close();
        }
        if (hub != null) {
            hub.close();
        }
    }

    @AfterEach
    void end() {
        for (var each : started) {
            each.descendants().forEach(ProcessHandle::destroyForcibly);
            each.destroy(); // a strace lets go of whom it looks at
        }
    }

    /// Connected, and waits for a line.
    private Process client(String host) throws IOException {
        var client = wrapped("c", CLIENT.replace("HOST", host).replace("PORT", port));
        started.add(client);
        assertThat(client.inputReader(StandardCharsets.US_ASCII).readLine()).isEqualTo("connected");
        return client;
    }

    /// The next line of a program, which it is told to go on to.
    private static String goOn(Process client) throws IOException {
        var writer = client.outputWriter(StandardCharsets.US_ASCII);
        writer.write("go on\n");
        writer.flush();
        return client.inputReader(StandardCharsets.US_ASCII).readLine();
    }

    // Sockets that listen, by the kernel's tables.

    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENS = "0A";

    private static Set<String> listening(ProcessHandle... processes) {
        var all = new TreeSet<String>();
        try {
            for (var process : processes) {
                var own = sockets(process.pid());
                for (var table : List.of("tcp", "tcp6")) {
                    for (var line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                        var words = line.strip().split("\\s+", -1);
                        if (words[STATE].equals(LISTENS)
                                && own.contains("socket:[" + words[INODE] + "]")) {
                            all.add(process.pid() + " " + words[1]);
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /// All that the process has open.
    private static Set<String> sockets(long process) throws IOException {
        var all = new HashSet<String>();
        try (var open = Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
            for (var each : open) {
                try {
                    all.add(Files.readSymbolicLink(each).toString());
                } catch (IOException _) {
                    // it was closed meanwhile
                }
            }
        }
        return all;
    }

    private static ProcessHandle supervisor(Process launcher) {
        return launcher.children().findFirst().orElseThrow();
    }

    @Test
    void neither_an_agent_nor_a_supervisor_keeps_a_socket_that_listens() throws Exception {
        var carried = client(CARRIED);
        var direct = client(DIRECT);
        var ours =
                new ProcessHandle[] {
                    supervisor(server), supervisor(carried), supervisor(direct), carried.toHandle()
                };
        assertThat(listening(server.descendants().toArray(ProcessHandle[]::new)))
                .as("the program itself does, and is seen by this test")
                .hasSize(1);
        // The last thing of a connect is that its gate goes.
        eventually("no gate is there", () -> listening(ours).isEmpty());
        assertThat(listening(servers.process().toHandle(), clients.process().toHandle()))
                .as("what the nodes themselves listen on")
                .isEqualTo(before);
        for (var each : List.of(carried, direct)) {
            assertThat(goOn(each)).isEqualTo("" + TIMES * BYTES);
        }
    }

    // Who calls.

    /// Counts what processes call from now on.
    private record Strace(Process process, Path counts) {
        static Strace of(String name, Stream<ProcessHandle> whom, List<Process> started)
                throws IOException {
            var counts = folder.resolve("strace-" + name);
            var command = new ArrayList<>(List.of("strace", "-f", "-c", "-o", counts.toString()));
            var all = whom.map(each -> "" + each.pid()).toList();
            all.forEach(each -> command.addAll(List.of("-p", each)));
            var strace = new Strace(new ProcessBuilder(command).start(), counts);
            started.add(strace.process);
            var said = strace.process.errorReader(StandardCharsets.US_ASCII);
            for (int i = 0; i < all.size(); i++) {
                var line = said.readLine();
                assumeTrue(
                        line != null && line.contains(" attached"),
                        "strace may not look into a process: " + line);
            }
            return strace;
        }

        /// @param of the names of calls, as an expression
        /// @return how many of these there were
        int end(String of) throws Exception {
            assertThat(new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor())
                    .isZero();
            process.waitFor();
            int sum = 0;
            for (var line : Files.readAllLines(counts)) { // % seconds us/call calls [errors] name
                var words = line.strip().split("\\s+", -1);
                if (words[0].matches("[0-9.]+") && words[words.length - 1].matches(of)) {
                    sum += Integer.parseInt(words[3]);
                }
            }
            return sum;
        }
    }

    /// What moves bytes.
    private static final String DATA =
            "(read|write|readv|writev|recvfrom|sendto|recvmsg|sendmsg|splice)";

    private static final String ANY = "(?!total).*";

    /// What is called while a client's bytes go to the server.
    ///
    /// @param program by the client itself, more than its own sends
    /// @param supervisors by the launchers and supervisors, all calls
    /// @param agents by the agents, what moves bytes
    private record Calls(int program, int supervisors, int agents) {}

    private Calls calls(String host) throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":", -1))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "strace"))),
                "there is no program strace: './ibidem setup'");
        var client = client(host);
        var supervisors =
                Stream.of(server, client)
                        .flatMap(each -> Stream.of(each.toHandle(), supervisor(each)));
        var both = Stream.of(clients, servers).map(each -> each.process().toHandle());
        var ours = Strace.of("supervisors", supervisors, started);
        var agents = Strace.of("agents", both, started);
        var program = Strace.of("program", supervisor(client).children(), started);
        assertThat(goOn(client)).isEqualTo("" + TIMES * BYTES);
        int own = program.end(ANY);
        return new Calls(own - TIMES, ours.end(ANY), agents.end(DATA));
    }

    @Test
    void where_the_way_is_the_kernel_s_none_of_our_processes_has_a_part_in_it() throws Exception {
        var calls = calls(DIRECT);
        assertThat(calls.program()).as("%s", calls).isBetween(0, 20);
        assertThat(calls.supervisors()).as("%s", calls).isLessThan(20);
        assertThat(calls.agents()).as("%s", calls).isLessThan(FEW);
    }

    /// The other measure.
    @Test
    void what_is_carried_the_agents_move_and_no_supervisor() throws Exception {
        var calls = calls(CARRIED);
        assertThat(calls.program()).as("%s", calls).isBetween(0, 20);
        assertThat(calls.supervisors()).as("%s", calls).isLessThan(20);
        assertThat(calls.agents()).as("%s", calls).isGreaterThan(FEW);
    }
}
