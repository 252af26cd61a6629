package org.ibidem.satin.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.ibidem.satin.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How it is said how far a job has come.
class ProgressTest {
    private static final Duration SPENT = Duration.ofMillis(42_700);

    private static Tally tally(String site, long jobs, long idle, long nanos) {
        return new Tally(site, 1, 2, jobs, jobs / 10, idle, nanos);
    }

    @Test
    void one_site_has_one_number() {
        var now = List.of(tally("north", 12_345, 25, 100));
        assertThat(Progress.line(SPENT, now, List.of()))
                .isEqualTo("satin: 42 s, 2 workers, 12.3k jobs, 1234 stolen, idle 25 %");
    }

    @Test
    void idle_is_what_was_so_since_the_last_line() {
        var before = List.of(tally("north", 1000, 90, 100), tally("south", 1000, 0, 100));
        var now = List.of(tally("north", 2000, 90, 200), tally("south", 2000, 50, 200));
        assertThat(Progress.line(SPENT, now, before))
                .isEqualTo(
                        "satin: 42 s, 4 workers, 4000 jobs, 400 stolen, idle north 0 %, south 50 %");
    }

    @Test
    void a_line_fits_a_terminal() {
        var many = IntStream.range(0, 50).mapToObj(i -> tally("s" + i, 1L << 40, 1, 100)).toList();
        var line = Progress.line(Duration.ofDays(30), many, List.of());
        assertThat(line).hasSizeLessThanOrEqualTo(Progress.COLUMNS).endsWith("…");
    }

    @Test
    void at_the_end_each_site_has_its_line() {
        assertThat(Progress.sites(List.of(tally("north", 30, 1, 100), tally("south", 20, 50, 100))))
                .containsExactly(
                        "satin: site north did 30 jobs, 3 of them stolen, and was idle for 1 % of"
                                + " the time of its workers (2 at the end)",
                        "satin: site south did 20 jobs, 2 of them stolen, and was idle for 50 % of"
                                + " the time of its workers (2 at the end)");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "9999, 9999", "10000, 10.0k", "123456, 123k", "9999999, 10.0M"})
    void numbers_are_short(long number, String text) {
        assertThat(Progress.number(number)).isEqualTo(text);
    }
}
