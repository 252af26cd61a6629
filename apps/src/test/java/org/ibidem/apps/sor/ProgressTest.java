package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long SECOND = 1_000_000_000;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private long now = 77;
    private final Progress progress =
            new Progress(new PrintStream(printed, true, StandardCharsets.UTF_8), 100, () -> now);

    private String shown() {
        var text = printed.toString(StandardCharsets.UTF_8);
        printed.reset();
        return text;
    }

    @Test
    void iteration_residual_and_rates_are_shown_once_a_second() {
        now += SECOND - 1;
        progress.at(9, new Tally(0.5, 400, 1_000_000));
        assertThat(shown()).isEmpty();

        now += 1;
        progress.at(10, new Tally(0.0123, 500, 2_000_000));
        assertThat(shown())
                .isEqualTo("iteration 10 of 100   residual 1.2e-02   500 messages/s   2.0 MB/s\r");

        now += SECOND - 1;
        progress.at(20, new Tally(0.01, 900, 3_000_000));
        assertThat(shown()).isEmpty();
    }

    @Test
    void the_rates_are_those_since_the_last_line() {
        now += SECOND;
        progress.at(10, new Tally(0.1, 500, 2_000_000));
        shown();
        now += 4 * SECOND;
        progress.at(50, new Tally(1e-9, 1_300, 8_000_000));
        assertThat(shown())
                .isEqualTo("iteration 50 of 100   residual 1.0e-09   200 messages/s   1.5 MB/s\r");
    }

    @Test
    void the_last_line_tells_of_the_whole_job() {
        now += SECOND;
        progress.at(50, new Tally(0.1, 500, 2_000_000));
        shown();
        now += SECOND;
        progress.done(new Tally(0.004, 3_000, 5_000_000));
        assertThat(shown())
                .isEqualTo(
                        "100 iterations in 2.00 s, residual 4.0e-03, 3000 messages, 5.0 MB"
                                + " (1500 messages/s, 2.5 MB/s)"
                                + System.lineSeparator());
    }
}
