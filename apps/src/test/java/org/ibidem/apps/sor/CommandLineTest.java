package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @Test
    void small_plates_are_checked_and_large_ones_only_when_asked() {
        assertThat(Options.parse().checked()).isTrue();
        assertThat(Options.parse("--size", "1024").checked()).isTrue();
        assertThat(Options.parse("--size", "1025").checked()).isFalse();
        assertThat(Options.parse("--size", "2048", "--check").checked()).isTrue();
        assertThat(Options.parse("--no-check").checked()).isFalse();
    }

    @Test
    void every_option_reaches_its_place() {
        var options =
                Options.parse(
                        "--size",
                        "99",
                        "--iterations",
                        "7",
                        "--image",
                        "a.png",
                        "--picture",
                        "b.jpg",
                        "--stack",
                        "tcp",
                        "--objects",
                        "--rmi",
                        "--serve",
                        "--reduce-every",
                        "5");

        assertThat(options)
                .isEqualTo(
                        new Options(
                                99,
                                7,
                                Path.of("a.png"),
                                Path.of("b.jpg"),
                                null,
                                "tcp",
                                true,
                                5,
                                true,
                                true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--size x",
                "--size 0",
                "--size 8193",
                "--iterations -1",
                "--reduce-every 0",
                "--sise 5",
                "--image",
                "now"
            })
    void what_is_wrong_is_said_with_the_usage(String line) {
        assertThatThrownBy(() -> Options.parse(line.split(" ", -1)))
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining(line.split(" ", -1)[0])
                .hasMessageContaining("--iterations K");
    }

    @Test
    void a_plate_that_is_too_small_is_refused() {
        assertThatThrownBy(() -> Options.parse("--size", "7").plate())
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("8 to 8192");
    }
}
