package org.ibidem.lab.bench.satin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.ibidem.lab.bench.figures.Json;
import org.ibidem.lab.bench.plot.Plot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTest {
    @TempDir Path folder;

    @Test
    void what_was_measured_is_written_and_drawn() throws Exception {
        var outcome = new Outcome();
        outcome.add("fib 27", "us", "sequential", List.of(3.0, 1.0, 2.0));
        outcome.add("fib 27", "us", "ibidem-satin", List.of(5.0));
        outcome.add("queens", "us", "ibidem-satin", List.of(7.0, 8.0));
        outcome.line("ratio satin-spawn forkjoin 0.75 0.67");
        var file = folder.resolve("new").resolve("satin.json");
        outcome.write(file);
        assertThat(Json.read(Files.readString(file)))
                .hasFieldOrPropertyWithValue(
                        "lines", List.of("ratio satin-spawn forkjoin 0.75 0.67"))
                .extracting("measures")
                .extracting("fib 27")
                .extracting("contestants")
                .extracting("sequential")
                .hasFieldOrPropertyWithValue("best", 1.0)
                .hasFieldOrPropertyWithValue("median", 2.0);
        var picture = folder.resolve("satin.png");
        Plot.run("satin", file.toString(), picture.toString());
        assertThat(ImageIO.read(picture.toFile()).getHeight()).isGreaterThan(200);
    }
}
