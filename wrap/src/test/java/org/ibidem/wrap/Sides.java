package org.ibidem.wrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// A pool of two nodes in this process with an agent each: clients are started at rank 0, `c`,
/// servers at rank 1, `s`. They are there as long as a class's tests run; what a test starts ends
/// with it.
final class Sides implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    /// Of the clients' agent.
    static final String RULES =
            "192.0.2.0/24 -> rank 1 over tcp; db.example.org -> rank 1 over tcp; *.far -> rank *";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /// Where all is built, and the agents are found.
    Path folder;

    Path probe;
    Path launcher;
    Node client;
    private final String[] flags;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private Agent servers;
    private final ConcurrentLinkedQueue<Process> started = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Process> plain = new ConcurrentLinkedQueue<>();

    /// How the program's calls get known.
    enum Means {
        SECCOMP,
        PRELOAD
    }

    /// @param flags more of the compiler's; with any, its watchers are loaded before all else
    Sides(String... flags) {
        this.flags = flags;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        folder = Files.createTempDirectory("ibidem-sides");
        launcher = Wrapped.launcher(folder, flags);
        probe = Wrapped.script(folder, "probe.py");
        var hub = opened(Hub.start(Hub.Options.DEFAULT.port(0)));
        var join = Join.pool("wrap").hub("localhost:" + hub.port()).size(2);
        var server = opened(Node.join(join.rank(1)));
        client = opened(Node.join(join.rank(0)));
        client.awaitMembers(2, LIMIT);
        server.awaitMembers(2, LIMIT);
        servers = opened(Agent.start(server, "", "auto", folder.resolve("s")));
        opened(Agent.start(client, RULES, "tcp", folder.resolve("c")));
        Launcher.writeHosts(folder.resolve("hosts"), "wrap", 2, RULES);
    }

    private <T extends AutoCloseable> T opened(T one) {
        opened.push(one);
        return one;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        started.forEach(process -> process.descendants().forEach(ProcessHandle::destroyForcibly));
        started.clear();
        plain.forEach(Process::destroyForcibly);
        plain.clear();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /// Starts a program that this agent serves.
    Process start(Means means, String agent, String... program) throws IOException {
        return start(List.of(), means, agent, program);
    }

    /// The same, and the launcher itself by another command.
    Process start(List<String> by, Means means, String agent, String... program)
            throws IOException {
        var command = new ArrayList<>(by);
        command.add(launcher.toString());
        if (means == Means.PRELOAD) {
            command.add("--preload");
        }
        command.add(folder.resolve(agent).toString());
        command.add(folder.resolve("hosts").toString());
        command.addAll(Arrays.asList(program));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (flags.length > 0) { // the programs themselves are built without
            builder.environment().put("LD_PRELOAD", Wrapped.watcher());
            builder.environment().put("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0");
        }
        var process = builder.start();
        started.add(process);
        return process;
    }

    /// Starts a program that nobody wraps.
    Process plain(String... program) throws IOException {
        var process = new ProcessBuilder(program).redirectErrorStream(true).start();
        plain.add(process);
        return process;
    }

    /// The servers' agent, which may have others reach what is not wrapped.
    Agent servers() {
        return servers;
    }

    /// Starts a server of the probe's.
    ///
    /// @return its port
    int serve(Means means, String host, String port) throws IOException {
        return port(start(means, "s", "python3", probe.toString(), "serve", host, port));
    }

    /// The port that a server of the probe's says first.
    static int port(Process process) throws IOException {
        var reader = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var line = reader.readLine();
        try {
            return Integer.parseInt(line);
        } catch (NumberFormatException e) {
            throw new AssertionError(line + "\n" + String.join("\n", reader.lines().toList()), e);
        }
    }

    /// The program that was started first.
    Process first() {
        return started.element();
    }

    static int freePort() throws IOException {
        try (var here = new ServerSocket(0)) {
            return here.getLocalPort();
        }
    }

    /// Reads what a program says until a line has this in it.
    static void awaitLine(Process process, String part) throws IOException {
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
}
