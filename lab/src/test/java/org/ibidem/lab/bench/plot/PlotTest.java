package org.ibidem.lab.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotTest {
    private static final int OURS = 0xFFC2410C;

    private static String run(String contestant) {
        return """
        {"benchmark": "b", "about": "a", "measures": {"half-8B": {"unit": "ns",
         "moreIsBetter": false, "contestants": {"%s": {"waits": "spin", "best": 40.0,
         "median": 50.0, "allocated": 0.0, "samples": [[40.0, 60.0], [50.0]]}}}}}
        """
                .formatted(contestant);
    }

    private static long pixelsOfOurs(String json) {
        var image = Plot.draw(json);
        int below = 66; // the key above shows the colour in any case
        return IntStream.range(0, image.getWidth() * (image.getHeight() - below))
                .filter(i ->
                        image.getRGB(i % image.getWidth(), below + i / image.getWidth()) == OURS)
                .count();
    }

    @Test
    void draws_ours_in_a_colour_that_others_do_not_have() {
        assertThat(pixelsOfOurs(run("ibidem-shm"))).isGreaterThan(50);
        assertThat(pixelsOfOurs(run("ring-bare"))).isZero();
    }

    @Test
    void shows_what_was_measured_at_the_distance_that_the_figures_are_of() {
        var json = run("x").replace("\"samples\"", "\"usual\": [false, true], \"samples\"");
        var row = Recorded.read(json).panels().getFirst().rows().getFirst();
        assertThat(row.samples()).containsExactly(50.0);
        var all = Recorded.read(run("x")).panels().getFirst().rows().getFirst();
        assertThat(all.samples()).containsExactly(40.0, 50.0, 60.0);
    }

    private static String sizes(String contestant, String... measures) {
        var all =
                Arrays.stream(measures)
                        .map(measure ->
                                """
                                "%s": {"unit": "ns", "moreIsBetter": false, "contestants": {"%s":
                                 {"waits": "spin", "best": %d, "median": 50.0, "samples": [[40.0]]}}}
                                """
                                        .formatted(measure, contestant, 40 + measure.length()))
                        .collect(Collectors.joining(","));
        return "{\"benchmark\": \"b\", \"about\": \"a\", \"measures\": {" + all + "}}";
    }

    @Test
    void draws_curves_over_the_size_of_messages_where_there_are_four_sizes() {
        var four = new String[] {"half-8B", "half-512B", "half-4KiB", "half-2MiB"};
        assertThat(Sizes.is(Recorded.read(sizes("x", four)))).isTrue();
        var field = Sizes.of(Recorded.read(sizes("x", four))).fields().getFirst();
        assertThat(field.sizes()).containsExactly(8L, 512L, 4096L, 2L << 20);
        assertThat(field.curves().getFirst().points().getLast())
                .isEqualTo(new Sizes.Point(2L << 20, 49.0));
        var lines = Plot.draw(sizes("ibidem-shm", four));
        assertThat(pixelsOfOurs(sizes("ibidem-shm", four))).isGreaterThan(500);
        assertThat(pixelsOfOurs(sizes("ring-bare", four))).isZero();
        assertThat(lines.getHeight()).isGreaterThan(500);
        var three = new String[] {"half-8B", "half-512B", "half-4KiB"};
        assertThat(Sizes.is(Recorded.read(sizes("x", three)))).isFalse();
        var other = new String[] {"half-8B", "half-512B", "half-4KiB", "tree-1023", "half-2MiB"};
        assertThat(Sizes.is(Recorded.read(sizes("x", other)))).isFalse();
    }

    private static String curves(String name, String decisions) {
        return """
        {"benchmark": "b", "about": "a", "panels": [{"title": "t", "capacity": 2.0, "curves": [
         {"name": "%s", "mean": 1.5, "points": [[0.1, 0.5], [1.0, 1.5], [2.0, 1.5]],
          "decisions": [%s]}]}]}
        """
                .formatted(name, decisions);
    }

    @Test
    void draws_curves_and_marks_on_them_what_was_decided() {
        var plain = curves("auto", "");
        assertThat(pixelsOfOurs(plain)).isGreaterThan(500);
        assertThat(pixelsOfOurs(curves("plain socket", ""))).isZero();
        var marked = Plot.draw(curves("auto", "[0.6, \"parallel: 4 streams\"]"));
        var before = Plot.draw(plain);
        assertThat(
                        IntStream.range(0, before.getWidth() * before.getHeight())
                                .filter(i -> differs(before, marked, i))
                                .count())
                .isGreaterThan(200);
    }

    private static boolean differs(BufferedImage one, BufferedImage other, int pixel) {
        int x = pixel % one.getWidth();
        int y = pixel / one.getWidth();
        return one.getRGB(x, y) != other.getRGB(x, y);
    }

    private static String beside(double ours) {
        var figures =
                """
                "figures": [{"title": "figure 9", "capacity": 1.6, "bars": [
                 {"name": "TCP", "theirs": 0.9, "ours": %s},
                 {"name": "auto", "theirs": 0.0, "ours": 0.0}]}],
                """
                        .formatted(ours);
        return curves("auto", "").replaceFirst("\\{", "{" + figures);
    }

    private static long ours(double ours) {
        var image = new BesideCanvas(Beside.read(beside(ours))).draw();
        return IntStream.range(0, image.getWidth() * image.getHeight())
                .filter(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) == OURS)
                .count();
    }

    @Test
    void draws_what_was_published_beside_what_was_measured(@TempDir Path folder)
            throws IOException {
        long none = ours(0); // the key
        assertThat(ours(0.8) - none).isGreaterThan(5_000);
        assertThat(ours(1.6) - none)
                .isBetween(19 * (ours(0.8) - none) / 10, 21 * (ours(0.8) - none) / 10);
        var json = Files.writeString(folder.resolve("wan.json"), beside(1.5));
        var png = folder.resolve("wan.png");
        Plot.run("wan", json.toString(), png.toString());
        assertThat(folder.resolve("wan-paper.png")).isNotEmptyFile();
        assertThat(png).isNotEmptyFile();
        assertThat(Beside.read(curves("auto", "")).figures()).isEmpty();
    }

    @Test
    void refuses_a_file_that_is_something_else(@TempDir Path folder) throws IOException {
        assertThatThrownBy(() -> Plot.draw("{\"measures\": 3}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wanted a map, not 3.0");
        assertThatThrownBy(() -> Plot.draw(curves("auto", "[0.5]")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wanted a text, not 0.5");
        assertThatThrownBy(() -> Plot.run("no-such-benchmark"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("run ./bench no-such-benchmark first");
        var picture = Files.write(folder.resolve("x.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        assertThatThrownBy(() -> Plot.run("x", picture.toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("x.png is no text");
    }

    @Test
    void an_axis_is_logarithmic_and_its_ticks_lie_within() {
        var axis = new Axis(10, 1000, 0, 1000);

        assertThat(axis.at(100) - axis.at(10)).isEqualTo(axis.at(1000) - axis.at(100));
        assertThat(axis.ticks()).containsExactly(10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0);
    }

    @Test
    void figures_are_written_short() {
        assertThat(Canvas.label(0.0005)).isEqualTo("0.0005");
        assertThat(Canvas.label(7737.4)).isEqualTo("7737");
        assertThat(Canvas.label(38_904)).isEqualTo("38.9k");
        assertThat(Canvas.label(2_000_000)).isEqualTo("2M");
    }
}
