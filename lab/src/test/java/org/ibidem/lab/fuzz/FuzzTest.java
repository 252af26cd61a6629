package org.ibidem.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every decoder of bytes from a peer is fuzzed for some seconds, each in a process of its own.
///
/// A target is a class with `static void fuzzerTestOneInput(byte[])` that throws when something is
/// wrong; it is named in [#targets]. Seeds are the test vectors of its format, if any.
@Tag("fuzz")
class FuzzTest {
    private static final int SECONDS = 20;
    private static final int HEAP_MEGABYTES = 512;

    @TempDir Path directory;

    /// What is fuzzed.
    ///
    /// @param target the class
    /// @param vectors name of the file with its test vectors; empty: none
    /// @param prefix hexadecimal, put in front of every seed
    record Target(String target, String vectors, List<String> prefix) {
        @Override
        public String toString() {
            return target;
        }
    }

    static List<Target> targets() {
        return List.of(
                new Target("org.ibidem.service.HandshakeFuzz", "handshake", List.of("00", "01")),
                new Target("org.ibidem.service.ControlFuzz", "control", List.of("")),
                new Target(
                        "org.ibidem.registry.wire.RegistryFuzz", "registry", List.of("00", "01")));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void no_input_does_harm(Target target) throws IOException, InterruptedException {
        var seeds = Files.createDirectory(directory.resolve("seeds"));
        writeSeeds(target, seeds);
        var log = directory.resolve("log").toFile();
        var process =
                new ProcessBuilder(command(target, seeds))
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log)
                        .start();
        try {
            assertThat(process.waitFor(SECONDS * 4L, TimeUnit.SECONDS)).as("it ends").isTrue();
            var output = Files.readString(log.toPath());
            assertThat(process.exitValue()).as(output).isZero();
            assertThat(output).contains("DONE");
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<String> command(Target target, Path seeds) {
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
                "-max_total_time=" + SECONDS,
                "-max_len=2048",
                "-timeout=5",
                "-print_final_stats=1",
                seeds.toString());
    }

    private static void writeSeeds(Target target, Path seeds) throws IOException {
        var file =
                Path.of(
                        "..",
                        "core",
                        "src",
                        "test",
                        "resources",
                        "wire",
                        target.vectors() + ".txt");
        int number = 0;
        for (var value : target.vectors().isEmpty() ? List.<String>of() : values(file)) {
            for (var prefix : target.prefix()) {
                Files.write(
                        seeds.resolve("seed" + number++), HexFormat.of().parseHex(prefix + value));
            }
        }
    }

    private static List<String> values(Path file) throws IOException {
        var values = new ArrayList<String>();
        for (var line : Files.readAllLines(file)) {
            if (!line.startsWith("#") && line.contains(" = ")) {
                values.add(line.split(" = ", 2)[1].replace(" ", ""));
            }
        }
        return values;
    }
}
