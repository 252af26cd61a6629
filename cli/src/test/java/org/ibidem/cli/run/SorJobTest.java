package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The main job as a user starts it: a launcher, real processes, `sor` in them.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(120)
class SorJobTest {
    /// More than anybody waits for: such a job is ended from outside.
    private static final String[] ENDLESS = {
        "sor", "--size", "256", "--iterations", "1000000", "--no-check"
    };

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"auto", "tls > tcp"})
    void four_processes_solve_it_bit_for_bit_and_write_the_picture(String stack) throws Exception {
        var image = folder.resolve("field.png");
        try (var run =
                Launched.run(
                        folder,
                        "-n",
                        "4",
                        "sor",
                        "--size",
                        "256",
                        "--iterations",
                        "100",
                        "--stack",
                        stack,
                        "--image",
                        image.toString())) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines)
                    .allMatch(line -> line.startsWith("[0] "))
                    .anyMatch(line -> line.contains("4 processes, stack " + stack))
                    .anyMatch(line -> line.contains("bit for bit"));
        }
        var picture = ImageIO.read(image.toFile());
        assertThat(picture.getWidth()).isEqualTo(256);
        assertThat(picture.getHeight()).isEqualTo(256);
    }

    /// What has native code inside was granted to them, or the JVM would warn.
    @Test
    void two_processes_compress_by_zstd_without_a_word_of_the_jvm() throws Exception {
        var stack = "compress(level=1, codec=zstd) > tcp";
        try (var run =
                Launched.run(
                        folder,
                        "-n",
                        "2",
                        "sor",
                        "--size",
                        "64",
                        "--iterations",
                        "5",
                        "--stack",
                        stack)) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines).anyMatch(line -> line.contains("bit for bit"));
            assertThat(run.errors()).isEmpty();
        }
    }

    /// The processes find each other's objects by name, and call them.
    @Test
    void three_processes_solve_it_by_remote_calls() throws Exception {
        try (var run =
                Launched.run(
                        folder, "-n", "3", "sor", "--size", "100", "--iterations", "40", "--rmi")) {
            var lines = run.lines();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines)
                    .anyMatch(line -> line.contains("3 processes, stack auto, by remote calls"))
                    .anyMatch(line -> line.contains("bit for bit"));
        }
    }

    /// The largest plate there is, in a few steps.
    @Tag("full")
    @Test
    @Timeout(600)
    void the_largest_plate_is_solved_bit_for_bit() throws Exception {
        try (var run =
                Launched.run(
                        folder,
                        "-n",
                        "4",
                        "sor",
                        "--size",
                        "8192",
                        "--iterations",
                        "3",
                        "--check")) {
            var lines = run.lines();
            assertThat(run.process().waitFor(500, TimeUnit.SECONDS)).isTrue();
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(lines).anyMatch(line -> line.contains("bit for bit"));
        }
    }

    /// Ranks 2 and 3 compute with another picture.
    @Test
    void a_wrong_field_is_said_and_ends_the_job_with_code_1() throws Exception {
        var black = folder.resolve("black.png");
        ImageIO.write(new BufferedImage(64, 64, BufferedImage.TYPE_INT_RGB), "png", black.toFile());
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var one = half(hub.port(), 0);
                var other = half(hub.port(), 2, "--picture", black.toString())) {
            assertThat(one.lines()).anyMatch(line -> line.matches(".*cells differ.*row \\d+ .*"));
            assertThat(one.code()).as(one.errors()).isEqualTo(1);
            assertThat(other.code()).as(other.errors()).isZero();
        }
    }

    @Test
    void two_launchers_with_a_hub_make_one_job() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var one = half(hub.port(), 0);
                var other = half(hub.port(), 2)) {
            assertThat(one.lines())
                    .anyMatch(line -> line.contains("4 processes"))
                    .anyMatch(line -> line.contains("bit for bit"));
            assertThat(one.code()).as(one.errors()).isZero();
            assertThat(other.lines()).isEmpty();
            assertThat(other.code()).as(other.errors()).isZero();
        }
    }

    private Launched half(int port, int first, String... more) throws IOException {
        var command = new ArrayList<>(List.of("-n", "2", "--hub", "localhost:" + port));
        command.addAll(List.of("--pool", "heat", "--total", "4", "--first", "" + first));
        command.addAll(List.of("sor", "--size", "128", "--iterations", "50"));
        command.addAll(List.of(more));
        return Launched.run(folder, command.toArray(String[]::new));
    }

    @Test
    void a_rank_that_is_killed_in_the_middle_ends_the_job() throws Exception {
        try (var run = endless()) {
            var ranks = run.awaitChildren(4, "iteration ");
            ranks.getLast().destroyForcibly();
            assertThat(run.code()).as(run.errors()).isEqualTo(137);
            assertThat(run.errors()).contains("failed: exit code 137 (signal 9)");
            assertThat(run.nobodyIsLeft()).isTrue();
        }
        requireNothingShared();
    }

    @Test
    void interrupting_the_launcher_leaves_nobody_and_no_shared_memory() throws Exception {
        try (var run = endless()) {
            run.awaitChildren(4, "iteration ");
            new ProcessBuilder("kill", "-INT", "" + run.process().pid()).start().waitFor();
            assertThat(run.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(run.code()).isEqualTo(130);
            assertThat(run.nobodyIsLeft()).isTrue();
        }
        requireNothingShared();
    }

    private Launched endless() throws IOException {
        var all = new ArrayList<>(List.of("-n", "4"));
        all.addAll(List.of(ENDLESS));
        return Launched.run(folder, all.toArray(String[]::new));
    }

    /// Files that other tests make at the same time exist for a moment only.
    private void requireNothingShared() throws IOException {
        var seen = shared(folder);
        eventually("no shared memory is left", () -> seen.stream().noneMatch(Files::exists));
    }

    /// Files of shared memory that are younger than this test.
    private static List<Path> shared(Path folder) throws IOException {
        var began = Files.readAttributes(folder, BasicFileAttributes.class);
        try (var files = Files.list(Path.of("/dev/shm"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("ibidem-"))
                    .filter(file -> file.toFile().lastModified() >= began.creationTime().toMillis())
                    .toList();
        }
    }
}
