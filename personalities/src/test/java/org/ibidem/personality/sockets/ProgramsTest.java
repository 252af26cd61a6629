package org.ibidem.personality.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.ibidem.hub.Hub;
import org.ibidem.personality.aio.IbidemAsynchronousChannelProvider;
import org.ibidem.personality.nio.IbidemSelectorProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Programs that know nothing of Ibidem, each in a process of its own. Names that end in `.near`
/// lead nowhere but over shared memory.
@Timeout(240)
class ProgramsTest {
    private static final String RULES = "*.near -> rank * over shm";

    @TempDir private Path folder;
    private Hub hub;
    private Path agent;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() throws IOException {
        hub = Hub.start(Hub.Options.DEFAULT.port(0));
        agent = folder.resolve("agent.jar");
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(new Attributes.Name("Premain-Class"), Agent.class.getName());
        new JarOutputStream(Files.newOutputStream(agent), manifest).close();
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
        hub.close();
    }

    private Process start(int rank, List<String> before, String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(
                List.of(
                        "-Dibidem.hub=localhost:" + hub.port(),
                        "-Dibidem.pool=programs",
                        "-Dibidem.size=2",
                        "-Dibidem.rank=" + rank));
        command.addAll(before);
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        var process = builder.start();
        started.add(process);
        return process;
    }

    private Process withAgent(int rank, String... arguments) throws IOException {
        return start(
                rank,
                List.of("-javaagent:" + agent + "=" + RULES, PlainEcho.class.getName()),
                arguments);
    }

    private static int port(BufferedReader server) throws IOException {
        var seen = new StringBuilder();
        for (var line = server.readLine(); line != null; line = server.readLine()) {
            seen.append(line).append('\n');
            if (line.startsWith("listening on ")) {
                return Integer.parseInt(line.substring("listening on ".length()));
            }
        }
        throw new AssertionError("it did not listen: " + seen);
    }

    private static String rest(Process process) throws Exception {
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    /// One client has no agent, and is served by the same listener over TCP.
    @Test
    @Tag("slow")
    void an_echo_runs_over_shared_memory_and_over_the_jdk() throws Exception {
        var server = withAgent(1, "server", "0", "2");
        try (var lines = server.inputReader()) {
            var port = Integer.toString(port(lines));
            var plain = start(0, List.of(PlainEcho.class.getName()), "echo", "localhost", port);
            assertThat(rest(plain)).contains("echoed");
            var echo = withAgent(0, "echo", "1.near", port);
            assertThat(rest(echo)).contains("echoed");
        }
    }

    @Test
    @Tag("slow")
    void an_http_client_runs_over_shared_memory() throws Exception {
        var server = withAgent(1, "server", "0", "1");
        try (var lines = server.inputReader()) {
            var http = withAgent(0, "http", "1.near", Integer.toString(port(lines)));
            assertThat(rest(http)).contains("you asked for /here");
            assertThat(lines.lines().toList()).contains("served 1");
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// The JDK's `HttpServer` and `HttpClient`, which stand on selectors.
    @Test
    @Tag("slow")
    void an_http_server_and_an_http_client_run_over_shared_memory() throws Exception {
        var server = withChannels(1, PlainHttp.class, "server");
        try (var lines = server.inputReader()) {
            var port = Integer.toString(port(lines));
            assertThat(rest(withChannels(0, PlainHttp.class, "client", "1.near", port)))
                    .contains("200 times");
        }
    }

    @Test
    @Tag("slow")
    void an_echo_of_asynchronous_channels_runs_over_shared_memory() throws Exception {
        var server = withChannels(1, PlainAsynchronous.class, "server");
        try (var lines = server.inputReader()) {
            var port = Integer.toString(port(lines));
            assertThat(rest(withChannels(0, PlainAsynchronous.class, "client", "1.near", port)))
                    .contains("200 times");
            assertThat(server.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.exitValue()).isZero();
        }
    }

    private Process withChannels(int rank, Class<?> program, String... arguments)
            throws IOException {
        return start(
                rank,
                List.of(
                        "--add-opens=java.base/java.net=ALL-UNNAMED",
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                        "-Djava.nio.channels.spi.SelectorProvider="
                                + IbidemSelectorProvider.class.getName(),
                        "-Djava.nio.channels.spi.AsynchronousChannelProvider="
                                + IbidemAsynchronousChannelProvider.class.getName(),
                        "-Dibidem.sockets=" + RULES,
                        Main.class.getName(),
                        program.getName()),
                arguments);
    }

    @Test
    void without_the_opening_one_clear_error_says_what_to_do() throws Exception {
        var process =
                start(
                        0,
                        List.of(
                                "-Dibidem.sockets=" + RULES,
                                "-Dibidem.size=1",
                                Main.class.getName()),
                        PlainEcho.class.getName());
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isNotZero();
        assertThat(output)
                .contains(
                        "the JDK's own sockets cannot be reached: start java with"
                                + " --add-opens=java.base/java.net=ALL-UNNAMED");
    }
}
