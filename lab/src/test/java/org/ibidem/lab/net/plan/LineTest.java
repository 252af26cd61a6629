package org.ibidem.lab.net.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineTest {
    @Test
    void reads_what_people_write() {
        assertThat(Line.of("delay=20ms jitter=500us rate=1.5mbit queue=64k loss=0.5%"))
                .isEqualTo(
                        new Line(
                                Duration.ofMillis(20),
                                Duration.ofNanos(500_000),
                                1_500_000,
                                65_536,
                                0.005));
    }

    @Test
    void leaves_alone_what_is_not_named() {
        var line = Line.of("delay=20ms rate=1gbit");
        assertThat(line.with("loss=1%")).isEqualTo(Line.of("delay=20ms rate=1gbit loss=1%"));
        assertThat(line.with("rate=none")).isEqualTo(Line.of("delay=20ms"));
        assertThat(line.with("")).isEqualTo(line);
    }

    @Test
    void takes_back_a_jitter_that_a_shorter_delay_has_no_room_for() {
        assertThat(Line.of("delay=20ms jitter=10ms").with("delay=5ms").jitter())
                .isEqualTo(Duration.ofMillis(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "delay=1us",
                "delay=60s jitter=1.5s",
                "rate=56kbit queue=1500",
                "loss=1",
                "loss=0.000001 queue=1m",
                "rate=100gbit queue=1000m"
            })
    void reads_what_it_prints(String text) {
        var line = Line.of(text);
        assertThat(Line.of(line.toString())).isEqualTo(line);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    delay=20     | expected a time such as 500us, 20ms or 1.5s, read '20'
                    delay=-1ms   | expected a time
                    delay=61s    | a delay is from 0 to 60 s
                    rate=10      | expected a rate such as 56kbit, 100mbit, 1gbit or none
                    rate=ten     | expected a rate
                    queue=1x     | expected a size such as 1500, 64k or 1m
                    rate=9999999999999gbit | a rate or a queue is
                    loss=101%    | a loss is from 0 to 1
                    loss=1e-3    | expected a share such as 0.01 or 1%
                    jitter=1ms   | a jitter is from 0 to the delay
                    speed=1mbit  | 'speed=1mbit' sets nothing
                    delay        | 'delay' sets nothing
                    """)
    void says_what_would_do(String text, String why) {
        assertThatThrownBy(() -> Line.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
