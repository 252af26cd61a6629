package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    enum Colour {
        RED,
        DARK_BLUE
    }

    record All(
            int size,
            long seed,
            double rate,
            boolean fast,
            Duration by,
            String word,
            Colour colour) {
        All() {
            this(8 << 10, 1, 0.1, false, Duration.ofMillis(10), "", Colour.RED);
        }

        All {
            if (size < 1) {
                throw new IllegalArgumentException("size is " + size + "; it must be at least 1");
            }
            if (rate > 0.5 && fast) {
                throw new IllegalArgumentException("with rate above 0.5 fast must be false");
            }
        }
    }

    record Nothing() {}

    private static All bound(String text) {
        return Options.bind(All.class, Notation.parse(text));
    }

    @Test
    void what_is_not_said_has_its_default() {
        assertThat(bound("x")).isEqualTo(new All());
        assertThat(Options.print(new All())).isEmpty();
    }

    @Test
    void every_kind_of_value_is_read() {
        assertThat(
                        bound(
                                "x(size=64k, seed=-3, rate=25%, fast=yes, by=1.5s, word=\"a b\","
                                        + " colour=dark-blue)"))
                .isEqualTo(
                        new All(
                                65536,
                                -3,
                                0.25,
                                true,
                                Duration.ofMillis(1500),
                                "a b",
                                Colour.DARK_BLUE));
    }

    @Test
    void a_value_without_a_name_is_the_first_option() {
        assertThat(bound("x(2M, seed=7)").size()).isEqualTo(2 << 20);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "x(syze=8k) | 3 | there is no option of x 'syze'; known: by, colour, fast, rate, seed, size, word. Did you mean 'size'?",
                "x(size=8q) | 8 | size of x: expected a whole number such as 7, 8k, 2M or 1G, read '8q'",
                "x(size=3G) | 8 | size of x: expected a number of at most 31 bits, read '3G'",
                "x(seed=9223372036854775807k) | 8 | at most 63 bits",
                "x(seed=9999999999999999999) | 8 | at most 63 bits",
                "x(rate=high) | 8 | rate of x: expected a number such as 0.1, 10% or 1e-6, read 'high'",
                "x(rate=1e999) | 8 | at most 1e308",
                "x(by=10) | 6 | by of x: expected a duration such as 5us, 10ms, 1.5s or 2min, read '10'",
                "x(by=0.1ns) | 6 | whole nanoseconds",
                "x(fast=maybe) | 8 | fast of x: expected true or false, read 'maybe'",
                "x(colour=green) | 10 | colour of x: expected one of red, dark-blue, read 'green'",
                "x(seed=1, size=0) | 11 | x: size is 0; it must be at least 1",
                "x(rate=0.9, fast=on) | 1 | x: with rate above 0.5 fast must be false",
                "x(seed=1, seed=2) | 11 | 'seed' of x is set twice",
                "x(1, size=2) | 6 | 'size' of x is set twice",
                "x(shm > tcp) | 3 | x takes no stack in its parentheses: write 'x > shm > tcp'",
            })
    void says_what_is_wrong_where_and_what_would_do(String text, int column, String reason) {
        assertThatThrownBy(() -> bound(text))
                .isInstanceOfSatisfying(
                        NotationException.class, e -> assertThat(e.column()).isEqualTo(column))
                .hasMessageContaining(reason);
    }

    @Test
    void a_driver_without_options_says_so() {
        assertThatThrownBy(() -> Options.bind(Nothing.class, Notation.parse("x(3)")))
                .hasMessage("column 3: x has no options, read '3'");
        assertThatThrownBy(() -> Options.bind(Nothing.class, Notation.parse("x(a=3)")))
                .hasMessage("column 3: there is no option of x 'a'; none is known");
    }

    @ParameterizedTest
    @CsvSource({
        "x(size=16384),x(size=16k)",
        "x(seed=1048576),x(seed=1M)",
        "x(seed=0),x(seed=0)",
        "x(rate=50%),x(rate=0.5)",
        "x(rate=2e0),x(rate=2)",
        "x(by=90s),x(by=90s)",
        "x(by=120s),x(by=2min)",
        "x(by=0ms),x(by=0s)",
        "x(by=1500us),x(by=1500us)",
        "x(size=8k),x",
    })
    void prints_the_shortest_form(String text, String printed) {
        assertThat(new Layer("x", Options.print(bound(text)), null, 0)).hasToString(printed);
    }

    @Test
    @Tag("slow")
    void every_record_reads_back_as_it_was_printed() {
        Seeded.times(
                2_000,
                random -> {
                    var options =
                            new All(
                                    1 + random.nextInt(Integer.MAX_VALUE - 1),
                                    random.nextLong() >> random.nextInt(64) << random.nextInt(40),
                                    Math.scalb(random.nextGaussian(), random.nextInt(-900, 900)),
                                    false,
                                    Duration.ofNanos(random.nextLong(1L << random.nextInt(1, 62))),
                                    random.nextBoolean()
                                            ? ""
                                            : Long.toString(random.nextLong(), 36),
                                    random.nextBoolean() ? Colour.RED : Colour.DARK_BLUE);
                    var text = new Layer("x", Options.print(options), null, 0).toString();
                    assertThat(bound(text)).isEqualTo(options);
                });
    }

    record NoDefaults(int size) {}

    record BadType(List<String> list) {
        BadType() {
            this(List.of());
        }
    }

    @Test
    void a_record_that_cannot_hold_options_is_reported_with_what_it_lacks() {
        assertThatThrownBy(() -> Options.defaults(NoDefaults.class))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a constructor without arguments for the defaults");
        assertThatThrownBy(() -> Options.bind(BadType.class, Notation.parse("x(list=a)")))
                .hasMessageContaining("java.util.List is no type of an option");
    }
}
