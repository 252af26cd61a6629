package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void a_property_goes_before_the_environment_and_that_before_the_default() {
        var settings =
                Settings.of(Map.of("ibidem.a", "1"), Map.of("IBIDEM_A", "2", "IBIDEM_B_C_D", "3"));
        assertThat(settings.value("ibidem.a", 0)).isEqualTo(1);
        assertThat(settings.value("ibidem.b.c-d", 0)).isEqualTo(3);
        assertThat(settings.value("ibidem.e", 4)).isEqualTo(4);
        assertThat(settings.text("ibidem.e")).isEmpty();
    }

    @Test
    void the_default_tells_the_type() {
        var settings = Settings.of(Map.of("a", "8k", "b", "10ms", "c", "on", "d", "0.5", "e", "x"));
        assertThat(settings.value("a", 1)).isEqualTo(8192);
        assertThat(settings.value("a", 1L)).isEqualTo(8192L);
        assertThat(settings.value("b", Duration.ZERO)).isEqualTo(Duration.ofMillis(10));
        assertThat(settings.value("c", false)).isTrue();
        assertThat(settings.value("d", 0.0)).isEqualTo(0.5);
        assertThat(settings.value("e", "")).isEqualTo("x");
    }

    @Test
    void says_which_setting_is_wrong_where_it_was_set_and_what_would_do() {
        var settings = Settings.of(Map.of("ibidem.spin", "long"), Map.of("IBIDEM_SIZE", "-1"));
        assertThatThrownBy(() -> settings.value("ibidem.spin", Duration.ZERO))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "ibidem.spin (set by system property ibidem.spin to 'long'): expected a duration"
                                + " such as 5us, 10ms, 1.5s or 2min, read 'long'");
        assertThatThrownBy(() -> settings.value("ibidem.size", 1, SettingsTest::positive))
                .hasMessage(
                        "ibidem.size (set by environment variable IBIDEM_SIZE to '-1'): it must be"
                                + " positive");
    }

    @Test
    void reads_this_jvm() {
        assertThat(Settings.system().text("java.version")).isPresent();
    }

    private static int positive(int n) {
        if (n <= 0) {
            throw new IllegalArgumentException("it must be positive");
        }
        return n;
    }
}
