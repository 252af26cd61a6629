package org.ibidem.lab.bench.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.ibidem.lab.bench.figures.Json;
import org.ibidem.lab.bench.plot.Plot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SatinBenchTest {
    @TempDir Path folder;

    /// What is wrong in a result, or a process that ends, ends it with an error.
    @Test
    @Tag("lab")
    void all_that_play_in_processes_play_to_the_end() throws Exception {
        var printed = new ByteArrayOutputStream();
        SatinBench.run(
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                "--quick",
                "--without",
                "lab",
                "--json",
                folder.resolve("satin.json").toString());
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("ratio satin-spawn forkjoin ")
                .contains("ratio satin-queens sequential ")
                .contains("limit satin-efficiency-sat-pigeons-7 ")
                .contains("limit satin-efficiency-raytracer-256-30 ")
                .contains("ratio satin-killed starting-again ");
        var json = folder.resolve("satin.json");
        assertThat(Json.read(Files.readString(json)))
                .extracting("measures")
                .extracting("sat pigeons 7, 2 cores")
                .extracting("contestants")
                .extracting("ibidem-satin")
                .extracting("best")
                .isInstanceOfSatisfying(Double.class, ms -> assertThat(ms).isPositive());
        Plot.run("satin", json.toString(), folder.resolve("satin.png").toString());
        assertThat(ImageIO.read(folder.resolve("satin.png").toFile()).getHeight())
                .isGreaterThan(200);
    }

    @Test
    void an_option_that_is_none_is_refused() {
        assertThatThrownBy(() -> SatinBench.run("--rounds", "3"))
                .hasMessage("known: --quick, --without lab, --json FILE; not [--rounds, 3]");
    }
}
