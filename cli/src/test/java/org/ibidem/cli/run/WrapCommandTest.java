package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ibidem.OtherUser;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.wrap.Agent;
import org.ibidem.wrap.Launcher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `ibidem wrap` and `ibidem agent` as processes of their own. What is dialled at [#NAMED] is rank
/// 0 to them, where an agent in this process serves; to the kernel it is another server.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(200)
@EnabledOnOs(OS.LINUX)
class WrapCommandTest {
    private static final String NAMED = "127.99.0.1";
    private static final String RULES = NAMED + " -> rank 0 over tcp";

    /// Threads connect again and again, and each says what has changed. Two of them wait in the
    /// call itself, two for an event. A thread that hung would be missed, and the alarm ends all.
    private static final String LOOP =
            """
            import errno, os, signal, socket, threading
            signal.alarm(150)
            def one(which):
                last = None
                while True:
                    s = socket.socket()
                    if which % 2: s.settimeout(60)
                    try:
                        s.connect(('NAMED', PORT))
                    except OSError as e:
                        said = errno.errorcode.get(e.errno, str(e))
                    else:
                        try:
                            said = s.makefile().readline().strip() or 'lost'
                        except OSError:
                            said = 'lost'
                    s.close()
                    if said != last: os.write(1, f'{which} {said}\\n'.encode()) # whole
                    last = said
            for which in range(4): threading.Thread(target=one, args=(which,)).start()
            """;

    @TempDir private static Path folder;
    private static Hub hub;
    private static Node node;
    private static Agent agent;
    private static Path launcher;
    private static ServerSocket served;
    private static ServerSocket kernels;

    @BeforeAll
    static void begin() throws Exception {
        launcher = built(folder);
        System.setProperty("ibidem.launcher", launcher.toString());
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        node = Node.join(Join.pool("wrap").hub("localhost:" + hub.port()).rank(0));
        node.awaitMembers(1, Duration.ofSeconds(60));
        agent = Agent.start(node, "", "tcp", folder.resolve("here"));
        served = says("127.0.0.1", 0, "ibidem");
        kernels = says(NAMED, served.getLocalPort(), "native");
        agent.serve(served.getLocalPort());
    }

    @AfterAll
    static void end() throws IOException {
        System.clearProperty("ibidem.launcher");
        if (hub != null) {
            served.close();
            kernels.close();
            agent.close();
            node.close();
            hub.close();
        }
    }

    /// The launcher; without a compiler or Python the test is skipped.
    static Path built(Path folder) throws IOException, InterruptedException {
        var places = System.getenv("PATH").split(":", -1);
        for (var program : List.of("cc", "python3")) {
            assumeTrue(
                    List.of(places).stream()
                            .anyMatch(each -> Files.isExecutable(Path.of(each, program))),
                    "there is no program " + program + ": './ibidem setup'");
        }
        var launcher = folder.resolve("ibidem-launch");
        var command = new ArrayList<>(List.of("cc", "-std=gnu17", "-O1", "-o", "" + launcher));
        try (var sources = Files.newDirectoryStream(Path.of("..", "shim"), "*.c")) {
            sources.forEach(each -> command.add(each.toString()));
        }
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
        return launcher;
    }

    private static ServerSocket says(String host, int port, String what) throws IOException {
        var server = new ServerSocket(port, 0, InetAddress.ofLiteral(host));
        Thread.ofPlatform().daemon().start(() -> answer(server, what + "\n"));
        return server;
    }

    private static void answer(ServerSocket server, String line) {
        while (!server.isClosed()) {
            try (var one = server.accept()) {
                one.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException _) {
                // this client is gone, or the server is closed
            }
        }
    }

    private static Launched agent(Path at) throws IOException {
        var process =
                Launched.tool(
                        List.of("-Dibidem.launcher=" + launcher),
                        folder,
                        "agent",
                        "--hub",
                        "localhost:" + hub.port(),
                        "--pool",
                        "wrap",
                        "--rules",
                        RULES,
                        at.toString());
        process.awaitLine("agent of rank ");
        return process;
    }

    /// Reads until each of the four has said it.
    private static void awaitAll(BufferedReader said, String what, List<String> heard)
            throws IOException {
        var missing = new ArrayList<>(List.of("0", "1", "2", "3"));
        while (!missing.isEmpty()) {
            var line = said.readLine();
            assertThat(line)
                    .as("%s of %s is still to come after %s", what, missing, heard)
                    .isNotNull();
            heard.add(line);
            var words = line.split(" ", 2);
            if (words[1].equals(what)) {
                missing.remove(words[0]);
            }
        }
    }

    @Test
    void an_agent_killed_under_programs_that_connect_leaves_them_to_the_kernel_until_the_next()
            throws Exception {
        var at = folder.resolve("own").resolve("agent");
        var loop = LOOP.replace("NAMED", NAMED).replace("PORT", "" + served.getLocalPort());
        var heard = new ArrayList<String>();
        Process program = null;
        try (var first = agent(at)) {
            var command = Launcher.command(at, Path.of("-"), List.of("python3", "-c", loop));
            program = new ProcessBuilder(command).redirectErrorStream(true).start();
            var said = program.inputReader(StandardCharsets.UTF_8);
            awaitAll(said, "ibidem", heard);
            first.process().destroyForcibly().waitFor();
            awaitAll(said, "native", heard);
            try (var _ = agent(at)) {
                awaitAll(said, "ibidem", heard);
            }
        } finally {
            if (program != null) {
                program.descendants().forEach(ProcessHandle::destroyForcibly);
            }
        }
        assertThat(heard).noneMatch(line -> line.endsWith("ENOSYS"));
    }

    private static final String THERE =
            """
            import os, socket
            print('user', os.getuid(), [l for l in open('/proc/self/status') if l.startswith('CapEff')][0].strip())
            c = socket.create_connection(('NAMED', PORT), 60)
            print(c.makefile().readline().strip(), '%s:%d' % c.getpeername(), flush=True)
            """;

    private static final String BACK =
            """
            l = socket.socket()
            l.bind(('127.0.0.1', 0))
            l.listen()
            print('port', l.getsockname()[1], flush=True)
            l.settimeout(60)
            s, peer = l.accept()
            print('from', peer[0], s.makefile().readline().strip(), flush=True)
            """;

    /// Who have no rights at all, with an agent of their own.
    enum Who {
        AN_ORDINARY_USER(
                OtherUser.UID,
                "--reuid=" + OtherUser.UID,
                "--regid=" + OtherUser.UID,
                "--clear-groups"),

        /// As in many a container. No user namespace of its own can have it as root.
        ROOT(0, "--bounding-set=-all", "--inh-caps=-all");

        private final int user;
        private final String options;

        Who(int user, String... options) {
            this.user = user;
            this.options = String.join(" ", options);
        }

        int rank() {
            return name().length(); // nobody else's
        }

        List<String> command() {
            var all = new ArrayList<>(List.of("setpriv"));
            all.addAll(List.of(options.split(" ", -1)));
            return all;
        }
    }

    /// Carried over TCP between the two agents, the user's in both directions; and nothing is left.
    @ParameterizedTest
    @EnumSource
    void without_rights_what_is_dialled_is_carried(Who who) throws Exception {
        OtherUser.require();
        for (var each : List.of(folder, launcher)) {
            Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var temporary = Files.createDirectory(folder.resolve(who.name()));
        Files.setAttribute(temporary, "unix:uid", who.user);
        var there = THERE.replace("NAMED", NAMED).replace("PORT", "" + served.getLocalPort());
        var properties = List.of("-Dibidem.launcher=" + launcher, "-Djava.io.tmpdir=" + temporary);
        try (var wrap =
                Launched.toolBy(
                        who.command(),
                        folder.resolve("copies"),
                        properties,
                        "wrap",
                        "--hub",
                        "localhost:" + hub.port(),
                        "--pool",
                        "wrap",
                        "--rules",
                        RULES,
                        "--rank",
                        "" + who.rank(),
                        "--",
                        "python3",
                        "-c",
                        there + BACK)) {
            wrap.awaitLine("user " + who.user + " CapEff:\t0000000000000000");
            assertThat(wrap.line()).isEqualTo("ibidem " + NAMED + ":" + served.getLocalPort());
            var port = wrap.line();
            assertThat(port).startsWith("port ");
            greet(who.rank(), port.substring("port ".length()));
            assertThat(wrap.line()).as(wrap.errors()).isEqualTo("from 127.80.0.0 hello");
            assertThat(wrap.code()).isZero();
        }
        assertThat(temporary).isEmptyDirectory();
    }

    /// By a program of this process's agent, at rank 0.
    private static void greet(int rank, String port) throws Exception {
        var client =
                "import socket; socket.create_connection(('127.80.0.%d', %s), 60).sendall(b'hello\\n')"
                        .formatted(rank, port);
        var command =
                Launcher.command(
                        folder.resolve("here"), Path.of("-"), List.of("python3", "-c", client));
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    /// By the next one; those of others that run stay, and what is not known to be left.
    @Test
    void of_one_that_was_killed_the_folder_is_removed_and_one_that_is_terminated_leaves_none()
            throws Exception {
        var temporary = Files.createDirectory(folder.resolve("temporary"));
        var unknown = Files.createTempDirectory(temporary, "ibidem-wrap-");
        var held = Files.createTempDirectory(temporary, "ibidem-wrap-");
        try (var deaf = new ServerSocket(0);
                var open = new RandomAccessFile(held.resolve("lock").toFile(), "rw");
                var _ = open.getChannel().lock()) {
            try (var killed = deaf(temporary, deaf)) {
                killed.process().destroyForcibly().waitFor();
            }
            var left = folders(temporary);
            assertThat(left).hasSize(3);
            try (var terminated = deaf(temporary, deaf)) {
                assertThat(folders(temporary)).hasSize(3).isNotEqualTo(left);
                terminated.process().destroy();
                assertThat(terminated.code()).isEqualTo(128 + 15);
            }
        }
        assertThat(folders(temporary)).containsExactlyInAnyOrder(unknown, held);
    }

    private static Set<Path> folders(Path in) throws IOException {
        try (var all = Files.list(in)) {
            return all.collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /// That asks a hub which does not answer.
    private static Launched deaf(Path temporary, ServerSocket hub) throws IOException {
        var properties = List.of("-Dibidem.launcher=" + launcher, "-Djava.io.tmpdir=" + temporary);
        var at = "localhost:" + hub.getLocalPort();
        var wrap = Launched.tool(properties, folder, "wrap", "--hub", at, "true");
        hub.accept();
        return wrap;
    }
}
