package org.ibidem.apps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// An application in processes of its own, to be watched, told to end, and killed.
public final class Processes implements AutoCloseable {
    private static final long LIMIT_SECONDS = 90;

    private final List<String> command = new ArrayList<>();
    private final List<Process> all = new ArrayList<>();
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    /// Processes of this main class that join a pool of the hub at this port.
    public Processes(Class<?> main, int hub, String pool, String... arguments) {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.add("-Dibidem.hub=localhost:" + hub);
        command.add("-Dibidem.pool=" + pool);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
    }

    /// Starts one more.
    public Process start() throws IOException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        all.add(process);
        var reader = process.inputReader();
        Thread.ofVirtual().start(() -> read(process.pid(), reader));
        return process;
    }

    private void read(long pid, BufferedReader reader) {
        try (reader) {
            for (var line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
            }
        } catch (IOException | UncheckedIOException e) {
            lines.add(pid + " was killed: " + e.getMessage());
        }
    }

    /// What they have said so far, all of them.
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /// Waits until a line contains this.
    public void await(String text) throws InterruptedException {
        await(text, line -> line.contains(text));
    }

    /// Waits until a line is so.
    ///
    /// @param text what is waited for, in words
    public void await(String text, Predicate<String> wanted) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (lines.stream().noneMatch(wanted)) {
            if (System.nanoTime() > end || all.stream().noneMatch(Process::isAlive)) {
                throw new AssertionError("nobody said '" + text + "': " + shown());
            }
            TimeUnit.MILLISECONDS.sleep(2); // output of other processes cannot be waited on
        }
    }

    /// What they have said, for the message of a failure.
    public String shown() {
        return String.join("\n", lines);
    }

    /// Waits for the end of one of them.
    ///
    /// @return its exit code
    public int code(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(process.pid() + " did not end: " + shown());
        }
        return process.exitValue();
    }

    /// Kills whoever is left.
    @Override
    public void close() {
        all.forEach(Process::destroyForcibly);
    }
}
