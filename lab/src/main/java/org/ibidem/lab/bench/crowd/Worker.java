package org.ibidem.lab.bench.crowd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A process that does what it is told, a line at a time.
public final class Worker implements AutoCloseable {
    /// What answers begin with; other lines are for people.
    public static final String ANSWER = "@ ";

    private static final int KIBI = 1024;

    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;

    /// A JVM.
    public Worker(Class<?> main, List<String> options, String... arguments) throws IOException {
        this(command(main, options, arguments));
    }

    /// Any program.
    public Worker(List<String> command) throws IOException {
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    private static List<String> command(Class<?> main, List<String> options, String... arguments) {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(options);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        line.addAll(List.of(arguments));
        return line;
    }

    /// Tells it something; the answer comes later.
    public void tell(String command) {
        commands.println(command);
    }

    /// Waits for the answer to what it was told.
    public String answer() throws IOException {
        for (var line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.startsWith(ANSWER)) {
                return line.substring(ANSWER.length());
            }
            System.err.println(line);
        }
        throw new IOException("a process of the benchmark ended: see above");
    }

    /// Tells it something, and waits for the answer.
    public String ask(String command) throws IOException {
        tell(command);
        return answer();
    }

    /// Asks all of them at the same time.
    static List<String> askAll(List<Worker> workers, String command) throws IOException {
        workers.forEach(worker -> worker.tell(command));
        var answers = new ArrayList<String>();
        for (var worker : workers) {
            answers.add(worker.answer());
        }
        return answers;
    }

    /// Processor time it has used.
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// The most memory it has had at once, in bytes; 0 where the system does not say.
    public long peak() throws IOException {
        var status = Path.of("/proc", String.valueOf(process.pid()), "status");
        if (!Files.isReadable(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * KIBI)
                .findFirst()
                .orElse(0);
    }

    /// Sends it a signal: `STOP`, `CONT` …
    public void signal(String name) throws IOException {
        var kill = new ProcessBuilder("kill", "-" + name, "" + process.pid()).inheritIO().start();
        try {
            if (kill.waitFor() != 0) {
                throw new IOException("a process of the benchmark has ended: see above");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /// As kill -9.
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
