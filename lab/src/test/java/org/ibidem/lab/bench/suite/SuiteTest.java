package org.ibidem.lab.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.ibidem.lab.bench.Contestant.Waiting;
import org.ibidem.lab.bench.duel.Benchmark;
import org.ibidem.lab.bench.figures.Aim;
import org.ibidem.lab.bench.figures.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SuiteTest {
    @TempDir Path folder;

    static List<Benchmark> benchmarks() {
        return Suite.ALL;
    }

    /// Each takes a minute: one by the date, so that each has its turn within a week, and all with
    /// `-Dibidem.full=true`.
    static List<Benchmark> due() {
        if (Boolean.getBoolean("ibidem.full")) {
            return Suite.ALL;
        }
        int next = (int) (LocalDate.now(ZoneOffset.UTC).toEpochDay() % Suite.ALL.size());
        return List.of(Suite.ALL.get(next));
    }

    @Tag("lab")
    @ParameterizedTest
    @MethodSource("due")
    void every_contestant_plays_everything_it_says_it_plays(Benchmark benchmark) throws Exception {
        var file = folder.resolve("out.json");

        Suite.run(benchmark.name(), "--quick", "--json", file.toString());

        var json = Json.read(Files.readString(file));
        for (var contestant : benchmark.contestants()) {
            if (contestant.missing().isEmpty()) {
                assertThat(json)
                        .extracting("idle")
                        .extracting(contestant.name())
                        .as("%s, idle", contestant.name())
                        .isInstanceOfSatisfying(
                                Double.class, s -> assertThat(s).isBetween(0.0, 3.0));
            }
        }
        for (var measure : benchmark.measures()) {
            for (var contestant : benchmark.contestants()) {
                if (contestant.plays(measure) && contestant.missing().isEmpty()) {
                    assertThat(json)
                            .extracting("measures")
                            .extracting(measure.name())
                            .extracting("contestants")
                            .extracting(contestant.name())
                            .extracting("best")
                            .as("%s at %s", contestant.name(), measure.name())
                            .isInstanceOfSatisfying(
                                    Double.class, best -> assertThat(best).isPositive());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void every_aim_names_a_measure_and_contestants_that_exist(Benchmark benchmark) {
        for (var aim : benchmark.aims()) {
            switch (aim) {
                case Aim.Ratio(var measure, var ours, var peer, _) ->
                        known(benchmark, measure, ours, peer);
                case Aim.Limit(var measure, var ours, var floor, _) ->
                        known(benchmark, measure, ours, floor);
                case Aim.Within(var measure, var ours, var floor, _) ->
                        known(benchmark, measure, ours, floor);
                case Aim.NoGarbage(var measure, var ours) -> known(benchmark, measure, ours, ours);
            }
        }
    }

    private static void known(Benchmark benchmark, String measure, String ours, String other) {
        var what = benchmark.measure(measure);
        assertThat(benchmark.contestant(ours).plays(what)).isTrue();
        assertThat(benchmark.contestant(other).plays(what)).isTrue();
        if (benchmark.contestant(ours).waiting() != Waiting.USUAL) { // else both are as they come
            assertThat(benchmark.contestant(ours).waiting())
                    .as("%s and %s have to wait the same way", ours, other)
                    .isEqualTo(benchmark.contestant(other).waiting());
        }
    }

    @Test
    void an_unknown_option_is_refused_with_what_is_known() {
        assertThatThrownBy(() -> Options.parse(Suite.named("seam"), "--fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'--fast'")
                .hasMessageContaining("--quick");
    }
}
