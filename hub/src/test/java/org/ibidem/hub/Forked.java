package org.ibidem.hub;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// A hub or a node in a process of its own, to be killed, stopped and continued.
final class Forked implements AutoCloseable {
    private static final String READY = "ready ";

    private final Process process;
    private final String said;

    private Forked(String... arguments) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path")));
        command.add(Forked.class.getName());
        command.addAll(List.of(arguments));
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        said = firstWords(process.inputReader(StandardCharsets.UTF_8));
    }

    /// A hub; when this returns it listens.
    static Forked hub(int port) throws IOException {
        return new Forked("hub", String.valueOf(port));
    }

    /// A hub that keeps its state in this folder.
    static Forked hub(int port, Path state) throws IOException {
        return new Forked("hub", String.valueOf(port), state.toString());
    }

    /// A node; when this returns it has joined.
    static Forked node(int hubPort, String pool) throws IOException {
        return new Forked("node", String.valueOf(hubPort), pool);
    }

    /// What it said when it was ready: a hub its port, a node its id.
    String said() {
        return said;
    }

    void kill() {
        process.destroyForcibly();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }

    private static String firstWords(BufferedReader out) throws IOException {
        for (var line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(READY)) {
                return line.substring(READY.length());
            }
        }
        throw new IOException("the process ended before it was ready");
    }

    /// What runs in the other process; ends when its input does, so that none outlives the test.
    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("hub")) {
            var options = Hub.Options.DEFAULT.port(port);
            options = arguments.length > 2 ? options.state(Path.of(arguments[2])) : options;
            System.out.println(READY + Hub.start(options).port());
        } else {
            var join =
                    Join.pool(arguments[2]).hub("localhost:" + port).limit(Duration.ofSeconds(30));
            var node = Node.join(join);
            node.elections().elect("master");
            System.out.println(READY + node.id());
        }
        while (System.in.read() >= 0) {
            // nobody writes
        }
        Runtime.getRuntime().halt(0);
    }
}
