package org.ibidem.lab.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jcstress.Main;

/// Runs the stress tests of this package under jcstress, in processes of their own: seconds for
/// each, or with `-Dibidem.full=true` a minute, in which its two threads have each mix of
/// compilers.
@Tag("lab")
@Tag("turn2")
class StressTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int TESTS = 10;
    private static final String TOO_FEW = "No scheduling is possible";
    private static final int MINUTES = FULL ? 40 : 5;

    @TempDir Path directory;

    @Test
    @Timeout(value = 45, unit = TimeUnit.MINUTES)
    void no_forbidden_outcome_is_seen() throws IOException, InterruptedException {
        var log = directory.resolve("log").toFile();
        var process =
                new ProcessBuilder(command())
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log)
                        .start();
        try {
            boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
            var output = Files.readString(log.toPath());
            assertThat(ended).as("ends (a lost wake-up would not); so far: %s", output).isTrue();
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output)
                    .contains("Failed tests: No matches")
                    .contains("Error tests: No matches")
                    .contains("Interesting tests: No matches")
                    .contains("All remaining tests: " + expected(output) + " matching");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /// One has three actors, for which two processors are not enough.
    private static int expected(String output) {
        return output.contains(TOO_FEW) ? TESTS - 1 : TESTS;
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "-t",
                "org.ibidem.lab.stress.*",
                "-jvmArgs",
                "-XX:+UseSerialGC",
                "-c",
                "2",
                "-sc", // every mix of compilers for the actors, or all alike
                String.valueOf(FULL),
                "-f",
                "1",
                "-iters",
                FULL ? "7" : "3",
                "-time",
                FULL ? "1000" : "500",
                "-strideSize",
                "64",
                "-strideCount",
                "8",
                "-r",
                "report");
    }
}
