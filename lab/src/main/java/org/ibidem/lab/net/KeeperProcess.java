package org.ibidem.lab.net;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.lab.net.keeper.Keeper;
import org.ibidem.lab.net.plan.Network;
import org.jspecify.annotations.Nullable;

/// The keeper of a laboratory, seen from outside. The laboratory is this process and nothing else:
/// there is no file that says it is up.
///
/// @param isolation how it was started
/// @param handle the process
/// @param ready what it said when it was: `ready`, whether delays are exact, machines
/// @param starter what it was started with, or null when it was found
record KeeperProcess(
        Isolation isolation, ProcessHandle handle, String ready, @Nullable Process starter) {

    private static final int END_SECONDS = 20;

    /// What some versions of unshare say when its child was killed.
    private static final String HARMLESS = "unshare: sigprocmask";

    private record Found(ProcessHandle handle, String name) {}

    /// Starts one that ends with this JVM.
    static KeeperProcess leashed(Network network, Isolation isolation) {
        return start(network, isolation, isolation.command(), "leashed-lab", Keeper.LEASHED);
    }

    /// Starts one that lives on until it is told to end.
    static KeeperProcess free(Network network, Isolation isolation, String name) {
        if (find(name).isPresent()) {
            throw new LabFailed(
                    "a laboratory '" + name + "' is up already: end it with ./ibidem lab down");
        }
        var command = new ArrayList<>(List.of("setsid"));
        command.addAll(isolation.command());
        return start(network, isolation, command, name);
    }

    private static KeeperProcess start(
            Network network, Isolation isolation, List<String> prefix, String... arguments) {
        check(network);
        var command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx96m", "-XX:-UsePerfData"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(ClassCache.options());
        command.add(Keeper.class.getName());
        command.addAll(List.of(arguments));
        try {
            var builder = new ProcessBuilder(command).redirectErrorStream(true);
            // It is found by its arguments, of which the JDK reads the first 4096 bytes or none.
            builder.environment().put("CLASSPATH", ClassCache.path());
            var process = builder.start();
            try {
                var out = new ObjectOutputStream(process.getOutputStream());
                out.writeObject(network);
                out.flush();
                var said = process.inputReader(StandardCharsets.UTF_8);
                var ready = readyLine(said);
                Thread.ofPlatform().daemon().name("laboratory output").start(() -> passOn(said));
                var keeper = process.children().findFirst().orElseThrow();
                return new KeeperProcess(isolation, keeper, ready, process);
            } catch (IOException | RuntimeException e) {
                process.destroyForcibly();
                throw e;
            }
        } catch (IOException e) {
            throw new LabFailed("the laboratory cannot be started: " + e.getMessage(), e);
        }
    }

    private static String readyLine(BufferedReader out) throws IOException {
        var before = new ArrayList<String>();
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("ready ")) {
                return line;
            }
            before.add(line.replaceFirst("^failed ", ""));
        }
        throw new LabFailed("the laboratory cannot be built: " + String.join("\n", before));
    }

    /// What it says later are complaints.
    private static void passOn(BufferedReader out) {
        try (out) {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                if (!line.startsWith(HARMLESS)) {
                    System.err.println("laboratory: " + line);
                }
            }
        } catch (IOException _) {
            // it is gone
        }
    }

    private static void check(Network network) {
        for (var site : network.sites()) {
            if (site.family().six() && !Files.exists(Path.of("/proc/sys/net/ipv6"))) {
                throw new LabRefused("this machine's kernel has no IPv6");
            }
        }
    }

    /// The one of this name, if it is up and this user's.
    static Optional<KeeperProcess> find(String name) {
        return all().filter(found -> found.name.equals(name)).map(KeeperProcess::of).findFirst();
    }

    /// The names of those that are up.
    static List<String> names() {
        return all().map(Found::name).filter(name -> !name.equals("leashed-lab")).toList();
    }

    private static Stream<Found> all() {
        return ProcessHandle.allProcesses()
                .flatMap(handle -> {
                    var info = handle.info();
                    var arguments = List.of(info.arguments().orElse(new String[0]));
                    int at = arguments.indexOf(Keeper.class.getName());
                    boolean java = info.command().orElse("").endsWith(File.separator + "java");
                    return java && at >= 0 && at + 1 < arguments.size()
                            ? Stream.of(new Found(handle, arguments.get(at + 1)))
                            : Stream.empty();
                });
    }

    private static KeeperProcess of(Found found) {
        try {
            var users = Path.of("/proc", found.handle.pid() + "", "ns", "user");
            var own = Path.of("/proc/self/ns/user");
            boolean same = Files.readSymbolicLink(users).equals(Files.readSymbolicLink(own));
            var isolation = same ? Isolation.ROOT : Isolation.USER;
            var keeper = new KeeperProcess(isolation, found.handle, "", null);
            return new KeeperProcess(
                    isolation,
                    found.handle,
                    Files.readString(keeper.inside(Path.of("/run/ready"))),
                    null);
        } catch (IOException e) {
            throw new LabFailed("the laboratory cannot be looked into: " + e, e);
        }
    }

    /// What is built there.
    Network network() {
        try (var in =
                new ObjectInputStream(Files.newInputStream(inside(Path.of("/run/network"))))) {
            return (Network) in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new LabFailed("the laboratory was made by another version: " + e, e);
        }
    }

    long pid() {
        return handle.pid();
    }

    boolean exact() {
        return Boolean.parseBoolean(ready.split(" ", -1)[1]);
    }

    /// The machines' processes, as they are numbered inside.
    Map<String, Long> machines() {
        var machines = new LinkedHashMap<String, Long>();
        for (var word : ready.split(" ", -1)) {
            int at = word.indexOf('=');
            if (at > 0) {
                machines.put(word.substring(0, at), Long.parseLong(word.substring(at + 1)));
            }
        }
        return machines;
    }

    /// A path inside, as it is to be named outside.
    Path inside(Path path) {
        return Path.of("/proc", String.valueOf(pid()), "root")
                .resolve(Path.of("/").relativize(path));
    }

    /// Ends it and everything in it; returns when it is gone.
    void end() {
        handle.destroyForcibly();
        try {
            handle.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
            if (starter != null) {
                starter.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
            }
        } catch (CompletionException e) {
            throw new LabFailed("the laboratory does not end", e);
        }
    }
}
