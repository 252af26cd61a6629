package org.ibidem.lab.badday;

import static org.ibidem.Eventually.withinAMinute;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.net.ClassCache;

/// A hub, a sender or a reader in a process of its own, to be killed, stopped and continued. What
/// it does is [Role].
final class Other implements AutoCloseable {
    static final Duration LONG = Duration.ofSeconds(60);

    /// Stands behind all it has said, once it can say no more.
    private static final String OVER = "\0";

    private final Process process;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Other(List<String> within, List<String> arguments) throws IOException {
        this(within, List.of(), Role.class, arguments);
    }

    private Other(List<String> within, List<String> options, Class<?> main, List<String> arguments)
            throws IOException {
        var command = new ArrayList<>(within);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options);
        command.addAll(ClassCache.arguments());
        command.add(main.getName());
        command.addAll(arguments);
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        var out = process.inputReader(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(() -> listen(out));
    }

    static Other hub(int port) throws IOException {
        return new Other(List.of(), List.of("hub", String.valueOf(port)));
    }

    /// A program of its own, with these options of the JVM.
    static Other program(Class<?> main, List<String> options, String... arguments)
            throws IOException {
        return new Other(List.of(), options, main, List.of(arguments));
    }

    /// The same, in a process that may have so many descriptors.
    static Other programWith(
            int descriptors, Class<?> main, List<String> options, String... arguments)
            throws IOException {
        var limit = "ulimit -n " + descriptors + "; exec \"$@\"";
        return new Other(List.of("sh", "-c", limit, "sh"), options, main, List.of(arguments));
    }

    /// A node in pool `demo` with a role.
    static Other node(String role, int hub, String... more) throws IOException {
        return nodeWithin(List.of(), role, hub, more);
    }

    /// The same, begun by another command: `unshare …`.
    static Other nodeWithin(List<String> command, String role, int hub, String... more)
            throws IOException {
        var arguments = new ArrayList<>(List.of(role, String.valueOf(hub)));
        arguments.addAll(List.of(more));
        return new Other(command, arguments);
    }

    private void listen(BufferedReader out) {
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException _) {
            // killed
        } finally {
            lines.add(OVER);
        }
    }

    /// Waits for a line `word rest` and gives the rest; other lines are passed over.
    String said(String word) throws InterruptedException {
        for (var line = next(); line != null; line = next()) {
            if (line.startsWith(word + " ")) {
                return line.substring(word.length() + 1);
            }
            if (line.startsWith("failed ")) {
                throw new AssertionError("it never said '" + word + "': " + line);
            }
            if (line.equals(OVER)) {
                lines.add(OVER);
                throw new AssertionError("it ended, and never said '" + word + "'");
            }
        }
        throw new AssertionError("in " + LONG.toSeconds() + " s it never said '" + word + "'");
    }

    private String next() throws InterruptedException {
        return lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /// Tells it to come to an end, where its role has one.
    void end() throws IOException {
        var words = process.getOutputStream();
        words.write('\n');
        words.flush();
    }

    /// As `kill -9`.
    void kill() {
        process.destroyForcibly();
    }

    /// The number of its process here, or of the command that began it.
    long pid() {
        return process.pid();
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    /// Stops it, and waits until none of its threads runs any more.
    void stop() throws Exception {
        signal("STOP");
        withinAMinute("it is stopped", () -> isStopped(Path.of("/proc/" + pid() + "/task")));
    }

    private static boolean isStopped(Path threads) {
        try (var all = Files.list(threads)) {
            for (var each : all.toList()) {
                var stat = Files.readString(each.resolve("stat"));
                if (stat.charAt(stat.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
