package org.ibidem.wrap;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Programs under the launcher, which is built of the sources of this tree.
final class Wrapped {
    private static final int LIMIT = 100;

    private Wrapped() {}

    /// Builds it, and the library beside it, with all checks that a compiler has; without one, or
    /// without Python, the test is skipped.
    static Path launcher(Path folder, String... flags) throws IOException, InterruptedException {
        require("cc", "python3");
        var shim = Path.of("..", "shim");
        var launcher = folder.resolve("ibidem-launch");
        compile(launcher, sources(shim), flags);
        var library = sources(shim.resolve("preload"));
        library.add(shim.resolve("sockets.c").toString());
        library.addAll(List.of("-fPIC", "-shared", "-fvisibility=hidden", "-ldl", "-lpthread"));
        compile(folder.resolve("libibidem-wrap.so"), library, flags);
        return launcher;
    }

    private static void compile(Path to, List<String> sources, String... flags)
            throws IOException, InterruptedException {
        var command =
                new ArrayList<>(
                        List.of("cc", "-std=gnu17", "-O2", "-g", "-Wall", "-Wextra", "-Werror"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-o", to.toString()));
        command.addAll(sources);
        assertEnds(new ProcessBuilder(command).inheritIO().start());
    }

    /// The library of the compiler's AddressSanitizer.
    static String watcher() throws IOException {
        var asked = new ProcessBuilder("cc", "-print-file-name=libasan.so").start();
        try (var said = asked.inputReader(StandardCharsets.UTF_8)) {
            return Path.of(said.readLine()).toRealPath().toString();
        }
    }

    private static List<String> sources(Path folder) throws IOException {
        var all = new ArrayList<String>();
        try (var sources = Files.newDirectoryStream(folder, "*.c")) {
            sources.forEach(source -> all.add(source.toString()));
        }
        return all;
    }

    /// Skips the test where one of these programs is missing.
    static void require(String... programs) {
        var places = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        for (var program : programs) {
            assumeTrue(
                    Stream.of(places.split(File.pathSeparator, -1))
                            .anyMatch(each -> Files.isExecutable(Path.of(each, program))),
                    "there is no program " + program + ": './ibidem setup'");
        }
    }

    /// Ends a process whose first lines have been read.
    ///
    /// @return what it has printed since, its errors too
    static String rest(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        return String.join("\n", process.inputReader(StandardCharsets.UTF_8).lines().toList());
    }

    static void assertEnds(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new AssertionError("it failed: " + process.info());
        }
    }

    /// A script of the tests' resources, as a file.
    static Path script(Path folder, String name) throws IOException {
        var file = folder.resolve(name);
        try (var in = Wrapped.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    /// Waits for its end.
    ///
    /// @return what it has printed, its errors too
    static String output(Process process) throws IOException, InterruptedException {
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(LIMIT, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("it does not end; it has said: " + text);
        }
        return text.strip();
    }
}
