package org.ibidem.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every decoder of bytes from a peer that has changed is fuzzed for 20 seconds, and four others
/// each day for 8; with `-Dibidem.full=true` all are, for 5 minutes. Each in a process of its own.
///
/// An input that does harm is kept in `lab/src/test/fuzz/TARGET`, for [SeedsTest] to try ever
/// after. How many inputs were tried is written to `lab/target/fuzzed`.
@Tag("fuzz")
class FuzzTest {
    private static final boolean FULL = Boolean.getBoolean("ibidem.full");
    private static final int SECONDS = FULL ? 300 : 20;
    private static final int SECONDS_UNCHANGED = FULL ? 300 : 8;
    private static final int HEAP_MEGABYTES = 512;
    private static final int FEWEST = 500;
    private static final Path COUNTS = Path.of("target", "fuzzed");
    private static final Pattern COUNT =
            Pattern.compile("stat::number_of_executed_units: *([0-9]+)");

    @TempDir Path directory;

    static List<Target> targets() {
        var today = LocalDate.now(ZoneOffset.UTC).toEpochDay();
        return FULL ? Target.all() : Fuzzed.RECORDED.turn(Target.all(), today);
    }

    @ParameterizedTest
    @MethodSource("targets")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void no_input_does_harm(Target target) throws IOException, InterruptedException {
        var seeds = Files.createDirectory(directory.resolve("seeds"));
        boolean changed = Fuzzed.RECORDED.changed(List.of(target)).contains(target);
        int seconds = changed ? SECONDS : SECONDS_UNCHANGED;
        int number = 0;
        for (var seed : target.seeds()) {
            Files.write(seeds.resolve("seed" + number++), seed);
        }
        var log = directory.resolve("log").toFile();
        var process =
                new ProcessBuilder(command(target, seeds, seconds))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log)
                        .start();
        try {
            assertThat(process.waitFor(SECONDS * 3L + 60, TimeUnit.SECONDS)).as("ends").isTrue();
            var output = Files.readString(log.toPath());
            keep(target);
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("DONE");
            count(target, output, seconds);
            Fuzzed.RECORDED.put(target);
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(Target target, Path seeds, int seconds) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Jazzer.class.getName(),
                "--target_class=" + target.target(),
                "--instrumentation_includes=org.ibidem.**",
                "-max_total_time=" + seconds,
                "-max_len=2048",
                "-timeout=5",
                // The heap has a bound. What the fuzzer takes for its memory includes the most that
                // the process had that started it.
                "-rss_limit_mb=0",
                "-print_final_stats=1",
                seeds.toString());
    }

    /// The fuzzer leaves what did harm in its working folder.
    private void keep(Target target) throws IOException {
        try (var files = Files.newDirectoryStream(directory, "{crash,timeout,oom,leak}-*")) {
            for (var file : files) {
                Files.createDirectories(target.kept());
                Files.write(target.kept().resolve(file.getFileName()), Files.readAllBytes(file));
            }
        }
    }

    private static void count(Target target, String output, int seconds) throws IOException {
        var found = COUNT.matcher(output);
        assertThat(found.find()).as(output).isTrue();
        assertThat(Long.parseLong(found.group(1))).as(output).isGreaterThan(FEWEST);
        Files.writeString(
                COUNTS,
                target + ": " + found.group(1) + " inputs in " + seconds + " s\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
