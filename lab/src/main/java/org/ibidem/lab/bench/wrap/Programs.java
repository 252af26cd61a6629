package org.ibidem.lab.bench.wrap;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.wrap.Agent;
import org.ibidem.wrap.Launcher;
import org.jspecify.annotations.Nullable;

/// A pool of two nodes in this process with their agents, and the programs that go through them.
final class Programs implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String SERVERS = "servers";
    private static final String AUTO = "auto";

    private final Path folder;
    private final Hub hub;
    private final List<Closeable> open = new ArrayList<>();
    private final List<Process> started = new ArrayList<>();
    private @Nullable Tunnels tunnels;
    private @Nullable Wires wires;

    Programs(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        compile("ibidem-launch", launcherSources());
        System.setProperty("ibidem.launcher", folder.resolve("ibidem-launch").toString());
        compile("dial", List.of(source("dial.c").toString()));
        hub = Hub.start(Hub.Options.DEFAULT.port(0).open(true));
        var join = Join.pool("bench").hub("localhost:" + hub.port()).open(true).size(2);
        var here = Node.join(join.rank(0));
        var there = Node.join(join.rank(1));
        here.awaitMembers(2, LIMIT);
        there.awaitMembers(2, LIMIT);
        open.add(Agent.start(there, "", AUTO, folder.resolve(SERVERS))::close);
        open.add(Agent.start(here, "", AUTO, folder.resolve(Way.DIRECT.agent()))::close);
        open.add(Agent.start(here, "", "tcp", folder.resolve(Way.CARRIED.agent()))::close);
        open.add(Agent.start(here, "", "tls > tcp", folder.resolve(Way.SEALED.agent()))::close);
        open.add(here::close);
        open.add(there::close);
    }

    private static List<String> launcherSources() throws IOException {
        var home = System.getProperty("ibidem.home", ".");
        var sources = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(Path.of(home, "shim"), "*.c")) {
            all.forEach(each -> sources.add(each.toString()));
        }
        return sources;
    }

    private void compile(String name, List<String> sources)
            throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("cc", "-std=gnu17", "-O2", "-o"));
        command.add(folder.resolve(name).toString());
        command.addAll(sources);
        compile(command.toArray(String[]::new));
    }

    /// Where all is built.
    Path folder() {
        return folder;
    }

    /// Runs what makes programs to its end.
    void compile(String... command) throws IOException, InterruptedException {
        said(new ProcessBuilder(command).redirectErrorStream(true).start(), command[0]);
    }

    /// A source that comes with this class, in the folder where all is built.
    Path source(String name) throws IOException {
        var to = folder.resolve(name);
        try (InputStream in = Programs.class.getResourceAsStream(name)) {
            Files.write(to, Objects.requireNonNull(in).readAllBytes());
        }
        return to;
    }

    /// Whether all of these are installed.
    static boolean there(String... names) {
        var places = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        return Stream.of(names)
                .allMatch(name ->
                        Stream.of(places.split(File.pathSeparator, -1))
                                .anyMatch(each -> Files.isExecutable(Path.of(each, name))));
    }

    /// The program that connects.
    String dial() {
        return folder.resolve("dial").toString();
    }

    /// The port at which a client finds, by this way, what listens on `port`.
    String port(Way way, String port) throws IOException, InterruptedException {
        if (!way.equals(Way.TUNNEL)) {
            return port;
        }
        if (tunnels == null) {
            tunnels = new Tunnels(Files.createDirectory(folder.resolve("ssh")));
        }
        return tunnels.through(port);
    }

    /// Starts a server, wrapped; whoever is not wrapped reaches it, too.
    ///
    /// @param ready what it says when it is there
    /// @return that line
    String serve(String ready, String... command) throws IOException {
        var process = start(SERVERS, command);
        var reader = process.inputReader(StandardCharsets.UTF_8);
        var said = new StringBuilder();
        for (var line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.contains(ready)) {
                return line;
            }
            said.append(line).append('\n');
        }
        throw new IOException(command[0] + " has ended: " + said);
    }

    /// Runs a client to its end.
    ///
    /// @return what it has printed
    String run(Way way, String... command) throws IOException, InterruptedException {
        var all = new ArrayList<>(way.equals(Way.WIRE) ? wires().within() : List.<String>of());
        all.addAll(List.of(command));
        return said(start(way.agent(), all.toArray(String[]::new)), command[0]);
    }

    private Wires wires() throws IOException, InterruptedException {
        if (wires == null) {
            wires = new Wires();
        }
        return wires;
    }

    private Process start(String agent, String... program) throws IOException {
        var command = List.of(program);
        if (!agent.isEmpty()) {
            command = Launcher.command(folder.resolve(agent), Path.of("-"), command);
        }
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    private static String said(Process process, String name)
            throws IOException, InterruptedException {
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(name + " failed: " + text);
        }
        return text;
    }

    /// Kills it, with all it has started, and waits until they are gone.
    private static void end(Process process) {
        var all = process.descendants().toList();
        all.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        all.forEach(each -> each.onExit().join());
    }

    /// Has something closed when the programs have ended.
    void after(Closeable what) {
        open.addFirst(what);
    }

    @Override
    public void close() throws IOException {
        if (tunnels != null) {
            tunnels.close();
        }
        if (wires != null) {
            wires.close();
        }
        for (var process : started) {
            end(process);
        }
        for (var each : open) {
            each.close();
        }
        hub.close();
    }
}
