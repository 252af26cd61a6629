package org.ibidem.lab.mutate;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Where tests are run against a class that may be changed.
///
/// @param project whose class it is
/// @param tests that are run
/// @param limit of one run
record Runner(Project project, List<String> tests, Duration limit) {
    /// What became of one run.
    ///
    /// @param killed whether the tests noticed
    /// @param by which one, or why there was no run
    /// @param took how long
    record Outcome(boolean killed, String by, Duration took) {}

    /// Runs the tests with this class file in front of the one it is made of.
    ///
    /// @param type the name of the class; empty: nothing is changed
    Outcome run(String type, byte[] bytes) throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("ibidem-mutant-");
        try {
            if (!type.isEmpty()) {
                var file = folder.resolve(type.replace('.', '/') + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, bytes);
            }
            return run(folder);
        } finally {
            delete(folder);
        }
    }

    private Outcome run(Path folder) throws IOException, InterruptedException {
        var said = folder.resolve("failed");
        long begun = System.nanoTime();
        var process =
                new ProcessBuilder(command(folder, said))
                        .directory(project.folder().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        var took = Duration.ofNanos(System.nanoTime() - begun);
        if (!ended) {
            return new Outcome(true, "they did not end within " + limit.toSeconds() + " s", took);
        }
        return switch (process.exitValue()) {
            case Trial.PASSED -> new Outcome(false, "", took);
            case Trial.FAILED -> new Outcome(true, Files.readString(said), took);
            case Trial.NONE -> throw new IllegalArgumentException("there are no tests in " + tests);
            default -> new Outcome(true, "exit status " + process.exitValue(), took);
        };
    }

    private List<String> command(Path folder, Path said) throws IOException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(
                List.of("-XX:+EnableDynamicAgentLoading", "--enable-native-access=ALL-UNNAMED"));
        command.addAll( // what modules with sockets and channels of their own are tested with
                List.of(
                        "--add-opens=java.base/java.net=ALL-UNNAMED",
                        "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED"));
        command.addAll(List.of("-cp", folder + File.pathSeparator + project.classPath()));
        command.addAll(List.of(Trial.class.getName(), said.toString()));
        command.add(String.valueOf(limit.toSeconds()));
        command.addAll(tests);
        return command;
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
