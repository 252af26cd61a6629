package org.ibidem.lab.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.ibidem.lab.bench.Measure;
import org.junit.jupiter.api.Test;

class FiguresTest {
    private static final Measure TRIP = Measure.halfTripOfWord();
    private static final Measure STREAM = Measure.bytes("100kB", 100_000);

    private final Figures figures = new Figures();

    private void add(String contestant, Measure measure, double allocated, double... samples) {
        figures.add(contestant, measure, new Figures.Turn(samples, allocated));
    }

    @Test
    void the_best_decile_is_low_for_a_latency_and_high_for_a_throughput() {
        add("ours", TRIP, 0, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
        add("ours", STREAM, 0, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);

        assertThat(figures.series("half-8B", "ours").orElseThrow().best()).isEqualTo(11);
        assertThat(figures.series("byte-100kB", "ours").orElseThrow().best()).isEqualTo(19);
        assertThat(figures.series("byte-100kB", "ours").orElseThrow().median()).isEqualTo(15);
    }

    @Test
    void a_ratio_above_one_means_that_ours_is_better() {
        add("ours", TRIP, 0, 100);
        add("peer", TRIP, 0, 150);
        add("ours", STREAM, 0, 6);
        add("peer", STREAM, 0, 4);

        assertThat(new Aim.Ratio("half-8B", "ours", "peer", 1.3).lines(figures))
                .startsWith("ratio half-8B peer 1.500 1.300");
        assertThat(new Aim.Ratio("byte-100kB", "ours", "peer", 1.3).lines(figures))
                .startsWith("ratio byte-100kB peer 1.500 1.300");
    }

    private void addApart(String contestant, double apart, double... samples) {
        figures.add(contestant, TRIP, new Figures.Turn(samples, 0, apart));
    }

    @Test
    void only_turns_with_the_cores_equally_far_apart_are_compared() {
        addApart("ours", 24, 80);
        addApart("ours", 51, 100);
        addApart("ours", 56, 100);
        addApart("ours", 250, 300);
        addApart("peer", 48, 150);
        addApart("peer", 250, 600);
        addApart("peer", 50, 150);
        addApart("peer", 240, 600);
        addApart("peer", Double.NaN, 40);

        assertThat(new Aim.Ratio("half-8B", "ours", "peer", 1.7).lines(figures))
                .containsExactly(
                        "ratio half-8B peer 1.500 1.700",
                        "#   by round: 1.500 (ours)",
                        "#   cores 48 to 56 ns apart: 1.500, by round 1.500; 100.0 and 150.0 ns; 2 and 2 turns",
                        "#   cores 240 to 250 ns apart: 2.000, by round 2.000; 300.0 and 600.0 ns; 1 and 2 turns");
        assertThat(figures.distances("half-8B"))
                .extracting(Distance::turns)
                .containsExactly(4, 3, 1);
    }

    @Test
    void cores_that_were_moved_during_a_turn_were_at_no_distance() {
        assertThat(Distance.between(50, 54)).isBetween(50.0, 54.0);
        assertThat(Distance.between(50, 250)).isNaN();
        assertThat(Distance.between(25, 50)).isNaN();
        assertThat(Distance.among()).isEmpty();
        assertThat(Distance.among(Double.NaN)).isEmpty();
    }

    @Test
    void a_difference_is_that_of_the_distance_most_was_measured_at() {
        addApart("ours", 25, 90);
        addApart("ours", 50, 100);
        addApart("ours", 50, 102);
        addApart("floor", 25, 30);
        addApart("floor", 50, 86);
        addApart("floor", 50, 88);

        assertThat(new Aim.Within("half-8B", "ours", "floor", 15).lines(figures))
                .startsWith(
                        "# half-8B: ours takes 100.0 ns, floor 86.0 ns: +14.0 ns (aim: at most +15 ns)",
                        "limit half-8B floor 0.860 0.851");
    }

    @Test
    void a_limit_is_the_share_of_the_floor() {
        add("ours", TRIP, 0, 50);
        add("floor", TRIP, 0, 45);

        assertThat(new Aim.Limit("half-8B", "ours", "floor", 0.97).lines(figures))
                .startsWith("limit half-8B floor 0.900 0.970");
    }

    @Test
    void a_difference_aimed_at_becomes_a_share_of_the_floor_that_was_measured() {
        add("ours", TRIP, 0, 50);
        add("floor", TRIP, 0, 45);

        assertThat(new Aim.Within("half-8B", "ours", "floor", 15).lines(figures))
                .startsWith(
                        "# half-8B: ours takes 50.0 ns, floor 45.0 ns: +5.0 ns (aim: at most +15 ns)",
                        "limit half-8B floor 0.900 0.750");
    }

    @Test
    void garbage_is_a_share_of_one() {
        add("clean", TRIP, 0.0004, 50);
        add("dirty", TRIP, 24, 50);

        assertThat(new Aim.NoGarbage("half-8B", "clean").lines(figures))
                .contains("limit half-8B-garbage none 1.000 0.990");
        assertThat(new Aim.NoGarbage("half-8B", "dirty").lines(figures))
                .contains("limit half-8B-garbage none 0.040 0.990");
    }

    @Test
    void a_contestant_that_was_left_out_gives_no_figure_and_says_so() {
        add("ours", TRIP, 0, 50);

        assertThat(new Aim.Within("half-8B", "ours", "floor", 15).lines(figures))
                .singleElement()
                .asString()
                .startsWith("# no figure");
    }

    @Test
    void figures_of_the_same_round_are_paired() {
        add("ours", TRIP, 0, 50);
        add("ours", TRIP, 0, 200); // the machine became slow
        add("ours", TRIP, 0, 200);
        add("peer", TRIP, 0, 100);
        add("peer", TRIP, 0, 400);
        add("peer", TRIP, 0, 400);

        var ours = figures.series("half-8B", "ours").orElseThrow();
        assertThat(ours.paired(figures.series("half-8B", "peer").orElseThrow(), null))
                .isEqualTo(2, within(1e-9));
    }
}
