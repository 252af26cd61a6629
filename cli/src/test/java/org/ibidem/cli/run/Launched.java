package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A real `ibidem run` in a process of its own, as `./ibidem` starts it: from modules.
final class Launched implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    /// As `./ibidem` has it.
    private static final String ZSTD = "--enable-native-access=com.github.luben.zstd_jni";

    private final Process process;
    private final BufferedReader out;
    private final Path err;
    private final List<ProcessHandle> ranks = new ArrayList<>();

    private Launched(List<String> command, Path folder) throws IOException {
        this(new ProcessBuilder(command), folder);
    }

    private Launched(ProcessBuilder command, Path folder) throws IOException {
        err = Files.createTempFile(folder, "stderr-", ".txt");
        process = command.redirectError(err.toFile()).start();
        out = process.inputReader();
    }

    static Launched run(Path folder, String... arguments) throws IOException {
        return start(folder, modules(), "run", arguments);
    }

    /// The same with temporary files in a folder of its own.
    static Launched runIn(Path temporary, Path folder, String... arguments) throws IOException {
        var main = new ArrayList<>(List.of("-Djava.io.tmpdir=" + temporary));
        main.addAll(modules());
        return start(folder, main, "run", arguments);
    }

    /// The same with properties of the launcher's own, such as `-Dibidem.heartbeat=1s`.
    static Launched runWith(List<String> properties, Path folder, String... arguments)
            throws IOException {
        var main = new ArrayList<>(properties);
        main.addAll(modules());
        return start(folder, main, "run", arguments);
    }

    /// The same at the head of a process group of its own, as a shell starts what a terminal talks
    /// to.
    static Launched runAsGroup(Path folder, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("setsid"));
        command.addAll(command(modules(), "run", arguments));
        return new Launched(command, folder);
    }

    /// Signals the whole group, as a terminal does at Ctrl-C.
    void signalGroup(String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, "--", "-" + process.pid());
        assertThat(kill.inheritIO().start().waitFor()).isZero();
    }

    private static List<String> modules() {
        var path =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry ->
                                entry.matches(".*(picocli|bouncycastle|zstd-jni).*")
                                        || isOurs(entry))
                        .collect(Collectors.joining(File.pathSeparator));
        return List.of(ZSTD, "-p", path, "-m", "org.ibidem.cli/org.ibidem.cli.Main");
    }

    /// By the command of MPJ Express.
    static Launched mpjrun(Path folder, String... arguments) throws IOException {
        var quoted =
                command(modules(), "\"$@\"").stream()
                        .map(word -> word.startsWith("\"") ? word : "'" + word + "'")
                        .collect(Collectors.joining(" "));
        var ibidem =
                Files.writeString(folder.resolve("ibidem"), "#!/bin/sh\nexec " + quoted + "\n");
        assertThat(ibidem.toFile().setExecutable(true)).isTrue();
        var command = new ArrayList<>(List.of(Path.of("..", "bin", "mpjrun.sh").toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command);
        builder.environment().put("IBIDEM", ibidem.toString());
        return new Launched(builder, folder);
    }

    /// A real `ibidem hub`.
    static Launched hub(Path folder, String... arguments) throws IOException {
        return start(folder, modules(), "hub", arguments);
    }

    /// Another real command.
    static Launched tool(Path folder, String subcommand, String... arguments) throws IOException {
        return start(folder, modules(), subcommand, arguments);
    }

    /// The same where the machine speaks German.
    static Launched german(Path folder, String subcommand, String... arguments) throws IOException {
        return tool(
                List.of("-Duser.language=de", "-Duser.country=DE"), folder, subcommand, arguments);
    }

    /// The same with properties of its own.
    static Launched tool(
            List<String> properties, Path folder, String subcommand, String... arguments)
            throws IOException {
        var main = new ArrayList<>(properties);
        main.addAll(modules());
        return start(folder, main, subcommand, arguments);
    }

    /// The same by a command that goes before it, such as `setpriv`; from copies of all modules,
    /// which another user may read.
    ///
    /// @param copies a folder, which is filled once
    static Launched toolBy(
            List<String> before, Path copies, List<String> properties, String... arguments)
            throws IOException {
        var main = new ArrayList<>(properties);
        main.addAll(
                List.of(ZSTD, "-p", copied(copies), "-m", "org.ibidem.cli/org.ibidem.cli.Main"));
        var rest = Arrays.copyOfRange(arguments, 1, arguments.length);
        var command = new ArrayList<>(before);
        command.addAll(command(main, arguments[0], rest));
        return new Launched(command, copies.getParent());
    }

    private static String copied(Path copies) throws IOException {
        boolean begun = Files.isDirectory(copies);
        Files.createDirectories(copies);
        var path = new ArrayList<String>();
        for (var entry : modules().get(2).split(File.pathSeparator, -1)) {
            var copy = copies.resolve(path.size() + "-" + Path.of(entry).getFileName());
            path.add(copy.toString());
            if (!begun) {
                copy(Path.of(entry), copy);
            }
        }
        return String.join(File.pathSeparator, path);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var each : all.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()));
            }
        }
    }

    /// The same with everything on the class path.
    static Launched runOnClassPath(Path folder, String... arguments) throws IOException {
        var path = System.getProperty("java.class.path");
        return start(folder, List.of("-cp", path, "org.ibidem.cli.Main"), "run", arguments);
    }

    private static boolean isOurs(String entry) {
        return entry.matches(
                ".*(ibidem-\\w+-[^/\\\\]*\\.jar"
                        + "|[/\\\\](base|serial|transport|node|core|hub|authority|codecs|mpj|satin|models|personalities|wrap|apps|cli)[/\\\\]target[/\\\\]classes)");
    }

    private static Launched start(
            Path folder, List<String> main, String subcommand, String... arguments)
            throws IOException {
        return new Launched(command(main, subcommand, arguments), folder);
    }

    private static List<String> command(List<String> main, String subcommand, String... arguments) {
        // Where these tests run in the background, SIGINT is ignored, and that is inherited.
        var command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(main);
        command.add(subcommand);
        command.addAll(List.of(arguments));
        return command;
    }

    Process process() {
        return process;
    }

    /// Reads on until every rank below `count` has printed `pid NUMBER`; answers those that still
    /// run.
    List<ProcessHandle> awaitRanks(int count) throws IOException {
        for (int seen = 0; seen < count; ) {
            var line = out.readLine();
            if (line == null) {
                throw new IOException("ended before " + count + " ranks were there: " + errors());
            }
            if (line.matches("\\[\\d+] pid \\d+")) {
                long pid = Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
                ProcessHandle.of(pid).ifPresent(ranks::add);
                seen++;
            }
        }
        return ranks;
    }

    /// The next line.
    String line() throws IOException {
        var line = out.readLine();
        if (line == null) {
            throw new IOException("ended without a word: " + errors());
        }
        return line;
    }

    /// Reads on until a line contains `text`.
    void awaitLine(String text) throws IOException {
        while (!line().contains(text)) {
            // not yet
        }
    }

    /// Reads on until a line contains `text`; by then there must be so many processes.
    List<ProcessHandle> awaitChildren(int count, String text) throws IOException {
        for (var line = out.readLine(); ; line = out.readLine()) {
            if (line == null) {
                throw new IOException("ended without saying '" + text + "': " + errors());
            }
            if (line.contains(text)) {
                break;
            }
        }
        process.children().forEach(ranks::add);
        if (ranks.size() != count) {
            throw new AssertionError(ranks.size() + " processes, not " + count);
        }
        return ranks;
    }

    /// The lines that follow, until the launcher ends.
    List<String> lines() throws IOException {
        return out.lines().toList();
    }

    int code() throws InterruptedException {
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the launcher did not end");
        }
        return process.exitValue();
    }

    String errors() throws IOException {
        return Files.readString(err);
    }

    /// Whether all ranks seen end; waits for them. They are no children of this process, so Java
    /// looks for them only now and then.
    boolean nobodyIsLeft() throws Exception {
        for (var rank : ranks) {
            try {
                rank.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (java.util.concurrent.TimeoutException e) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ranks.forEach(ProcessHandle::destroyForcibly);
    }
}
