package org.ibidem.selector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ibidem.config.Setting;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.link.Line;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `auto` adds, by what is known as it would be: no network.
class WideTest {
    static final Wide FAR = Wide.choose(known(43, 0, 0));

    private static final long MB = 1_000_000;

    private static Line.Known known(double millis, long raw, long wire) {
        return new Line.Known(
                Duration.ofNanos((long) (millis * 1e6)), 0, 0, raw, wire, Duration.ofSeconds(5));
    }

    @Test
    void nothing_is_added_while_nothing_is_known() {
        assertThat(Wide.choose(Line.Known.NOTHING)).isEqualTo(Wide.NOTHING);
    }

    @ParameterizedTest
    @CsvSource({"0.05, false", "0.3, false", "3.9, false", "4, true", "43, true", "600, true"})
    void a_long_line_gets_all(double millis, boolean all) {
        assertThat(Wide.choose(known(millis, 0, 0)).filters())
                .isEqualTo(all ? Wide.ALL : List.of());
    }

    @Test
    void data_that_do_not_shrink_are_left_alone_for_a_while() {
        assertThat(Wide.choose(known(43, 100 * MB, 99 * MB)).filters()).containsExactly("parallel");
        assertThat(Wide.choose(known(43, 100 * MB, 30 * MB)).filters()).isEqualTo(Wide.ALL);
        assertThat(Wide.choose(known(43, MB, MB)).filters()).isEqualTo(Wide.ALL);
        var longAgo =
                new Line.Known(
                        Duration.ofMillis(43), 0, 0, 100 * MB, 99 * MB, Duration.ofMinutes(11));
        assertThat(Wide.choose(longAgo).filters()).isEqualTo(Wide.ALL);
    }

    /// One line from the first connection on, as it would be recorded.
    @Test
    void the_same_knowledge_gives_the_same_choice() {
        var told = new ArrayList<String>();
        for (var known :
                List.of(
                        Line.Known.NOTHING,
                        known(43.07, 0, 0),
                        known(43.02, 512 * MB, 100 * MB),
                        new Line.Known(
                                Duration.ofMillis(43),
                                16,
                                8.6e6,
                                200 * MB,
                                200 * MB,
                                Duration.ZERO))) {
            assertThat(Wide.choose(known)).isEqualTo(Wide.choose(known));
            told.add(Wide.choose(known).filters() + " " + Wide.choose(known).why());
        }
        assertThat(told)
                .containsExactly(
                        "[] ",
                        "[compress, parallel] the round trip is 43.1 ms",
                        "[compress, parallel] the round trip is 43.0 ms, and 0.20 of 512 MB were"
                                + " left when they were compressed",
                        "[parallel] the round trip is 43.0 ms, 16 streams brought 8.6 MB/s, and"
                                + " 1.00 of 200 MB were left when they were compressed");
    }

    private static List<String> allowed(String value) {
        return Wide.allowed(Settings.of(Map.of("ibidem.auto", value)));
    }

    @Test
    void where_nobody_says_anything_all_may_be_added_and_that_is_what_explain_says() {
        assertThat(Wide.allowed(Settings.of(Map.of()))).isEqualTo(Wide.ALL);
        var told = Setting.ALL.stream().filter(one -> one.name().equals("ibidem.auto")).findFirst();
        assertThat(allowed(told.orElseThrow().byDefault())).isEqualTo(Wide.ALL);
    }

    @Test
    void what_the_user_wants_wins() {
        assertThat(allowed("none")).isEmpty();
        assertThat(FAR.only(allowed("none")).filters()).isEmpty();
        assertThat(FAR.only(allowed("parallel")).filters()).containsExactly("parallel");
        assertThat(FAR.only(allowed("parallel, compress")).filters()).isEqualTo(Wide.ALL);
        assertThatThrownBy(() -> allowed("paralel"))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining(
                        "'paralel' is nothing that auto adds: compress, parallel, or none");
    }
}
