package org.ibidem.lab.nemesis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.lab.net.ClassCache;

/// A process of this test, to be told things, killed, stopped and continued.
final class Child implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String END = "(it ended)";

    private final String name;
    private final Process process;
    private final Writer words;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    /// @param within what begins the command: `nsenter …`, `env …`
    /// @param log what it says of errors, of all processes of that name
    Child(String name, List<String> within, Path log, Class<?> main, Object... arguments)
            throws IOException {
        this.name = name;
        var command = new ArrayList<>(within);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.add("-Dibidem.heartbeat=" + World.HEARTBEAT.toSeconds() + "s");
        command.addAll(ClassCache.arguments());
        command.add(main.getName());
        for (var argument : arguments) {
            command.add(argument.toString());
        }
        process =
                new ProcessBuilder(command)
                        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        words = process.outputWriter(StandardCharsets.UTF_8);
        var out = process.inputReader(StandardCharsets.UTF_8);
        Thread.ofVirtual().start(() -> listen(out));
    }

    private void listen(BufferedReader out) {
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                lines.add(line);
            }
        } catch (IOException _) {
            // killed
        }
        lines.add(END);
    }

    void tell(String word) {
        try {
            words.write(word + "\n");
            words.flush();
        } catch (IOException _) {
            // killed
        }
    }

    /// Waits for a line that begins with one of these words, and gives it; others are passed over.
    String said(String... wanted) throws InterruptedException {
        while (true) {
            var line = lines.poll(LONG.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.equals(END)) {
                throw new AssertionError(
                        name
                                + (line == null ? " never said " : " ended without ")
                                + List.of(wanted));
            }
            if (List.of(wanted).contains(line.split(" ", 2)[0])) {
                return line;
            }
        }
    }

    void signal(String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// As `kill -9`; when this returns it is gone.
    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
