package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

/// `ibidem wrap` and `ibidem agent` as processes of their own. What is dialled at [#NAMED] is rank 0
/// to them, where an agent in this process serves; to the kernel it is another server.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(200)
@EnabledOnOs(OS.LINUX)
class WrapCommandTest {
    private static final String NAMED = "127.99.0.1";
    private static final String RULES = NAMED + " -> rank 0 over tcp";

    /// Threads connect again and again, and each says what has changed. Two of them wait in the call
    /// itself, two for an event. A thread that hung would be missed, and the alarm ends all.
    private static final String LOOP =
            """
            import errno, signal, socket, threading
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
                    if said != last: print(which, said, flush=True)
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
        launcher = built();
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

    private static Path built() throws IOException, InterruptedException {
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
            assertThat(line).as("%s of %s is still to come after %s", what, missing, heard).isNotNull();
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
}
