package org.ibidem.lab.bench.wan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.util.List;
import java.util.Map;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/// What is sent, and what is made of what was counted.
class WanTest {
    private static double smaller(byte[] bytes) {
        try (var deflater = new Deflater(1)) {
            deflater.setInput(bytes, 0, 1 << 20);
            deflater.finish();
            return (double) deflater.deflate(new byte[2 << 20]) / (1 << 20);
        }
    }

    @Test
    void data_that_change_are_text_then_nothing_shrinks_then_doubles() throws Exception {
        var kinds = WanOptions.parse("--data", "changing").materials().getFirst().make();
        assertThat(kinds).hasSize(3);
        assertThat(smaller(kinds.get(0))).isBetween(0.05, 0.5);
        assertThat(smaller(kinds.get(1))).isGreaterThan(0.99);
        assertThat(smaller(kinds.get(2))).isBetween(0.05, 0.9);
    }

    @Test
    void data_that_are_none_are_refused_and_all_are_sent_by_the_long_run_alone() {
        assertThatThrownBy(() -> WanOptions.parse("--data", "music"))
                .hasMessageContaining("there is no data 'music'")
                .hasMessageContaining("text, random or changing");
        assertThat(WanOptions.parse().materials()).doesNotContain(Material.CHANGING);
        assertThat(WanOptions.parse("--long").materials()).contains(Material.CHANGING);
        assertThat(WanOptions.parse("--long").ways()).contains("scp", "rsync -z", "iperf3 -P 32");
    }

    @Test
    void lines_that_are_drawn_are_such_as_the_laboratory_sets() {
        for (int seed = 1; seed < 200; seed++) {
            for (var line : WanOptions.parse("--seed", "" + seed).lines()) {
                assertThat(line.settings())
                        .matches("delay=\\d+us rate=\\d+kbit queue=\\d+ loss=\\d\\.\\d\\d%");
            }
        }
    }

    /// The peaks that the text of the paper gives.
    @Test
    void the_figures_of_the_paper_are_measured_as_it_says_and_shown_beside_ours() {
        var options = WanOptions.parse("--paper");
        assertThat(options.lines()).containsExactlyElementsOf(WanLine.ALL.subList(0, 2));
        assertThat(options.materials()).containsExactly(Material.TEXT);
        assertThat(options.ways())
                .doesNotHaveDuplicates()
                .contains(WanOptions.PLAIN, "parallel(8) > tcp", WanOptions.AUTO);
        var way = "compress(codec=deflate) > parallel(8) > tcp";
        var ours = new Result(2e7, 0, "", null, List.of());
        var figures = Paper.beside(Map.of(WanLine.ALL.get(1), Map.of(way, ours)));
        assertThat(figures).hasSize(1);
        assertThat(figures.getFirst().get("title").toString()).startsWith("figure 10: Delft");
        assertThat(figures.getFirst())
                .extractingByKey("bars", LIST)
                .contains(Map.of("name", "zlib, 8 streams", "theirs", 3.5, "ours", 20.0))
                .contains(Map.of("name", "TCP", "theirs", 1.7, "ours", 0.0));
        for (var figure : Paper.FIGURES) {
            for (var method : figure.methods()) {
                assertThat(options.ways()).contains(method.way());
            }
        }
    }

    @Test
    void what_was_counted_and_decided_comes_over_in_a_line() {
        var count = Count.parse("5000000000 0:100 1000000000:1100 2000000000:4100");
        assertThat(Count.parse(count.text()).text()).isEqualTo(count.text());
        assertThat(count.rate(1, 2)).isEqualTo(3000);
        var line = "4500000000 auto: two ways | 6000000000 parallel: 4 streams";
        var decisions = Decision.parse(line, count.began());
        assertThat(decisions)
                .containsExactly(
                        new Decision(-0.5, "auto: two ways"),
                        new Decision(1, "parallel: 4 streams"));
        assertThat(Decision.parse("", 7)).isEmpty();
        var result = Result.of(count, 1, 9, "plain", decisions);
        assertThat(result.rate()).as("until all has come").isEqualTo(3000);
        assertThat(result.before()).isEqualTo(1000);
        assertThat(result.curve("auto"))
                .containsEntry(
                        "decisions",
                        List.of(
                                List.of(-0.5, "auto: two ways"),
                                List.of(1.0, "parallel: 4 streams")));
        assertThat(Count.parse("7").rate(0, 1)).isZero();
    }
}
