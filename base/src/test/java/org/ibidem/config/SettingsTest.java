package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.Logged;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @TempDir private Path folder;

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
    void names_like_those_of_settings_that_are_none_are_told_with_the_nearest_and_ours_are_not() {
        var settings =
                Settings.of(
                        Map.of("ibidem.waite", "spin", "ibidem.stack.halo", "tcp", "other", "x"),
                        Map.of(
                                "IBIDEM_HUBB", "here:1",
                                "IBIDEM_HUB", "here:1",
                                "IBIDEM_STACK_MY_TYPE", "tcp",
                                "IBIDEM_JAVA_HOME", "/jdk",
                                "IBIDEM_QUITE_ANOTHER_THING", "x"));
        assertThat(settings.strangers())
                .containsExactly(
                        "the environment variable IBIDEM_HUBB is no setting; did you mean the"
                                + " environment variable IBIDEM_HUB?",
                        "the environment variable IBIDEM_QUITE_ANOTHER_THING is no setting (ibidem"
                                + " explain config lists them)",
                        "the system property ibidem.waite is no setting; did you mean the system"
                                + " property ibidem.wait?");
        try (var log = new Logged(Settings.class)) {
            settings.warnOfStrangers();
            settings.warnOfStrangers();
            assertThat(log.lines()).hasSize(3).allMatch(line -> line.startsWith("WARNING the "));
        }
    }

    private Settings with(
            String lines, Map<String, String> properties, Map<String, String> variables)
            throws IOException {
        var all = new HashMap<>(properties);
        all.put("ibidem.config", Files.writeString(file(), lines).toString());
        return Settings.of(all, variables);
    }

    private Path file() {
        return folder.resolve("my.properties");
    }

    @Test
    void the_file_comes_behind_the_environment_and_before_the_default() throws IOException {
        var settings =
                with(
                        "ibidem.pool = c\nibidem.size = 3\nibidem.rank = 3\n",
                        Map.of("ibidem.pool", "a"),
                        Map.of("IBIDEM_POOL", "b", "IBIDEM_SIZE", "2"));
        assertThat(settings.value("ibidem.pool", "d")).isEqualTo("a");
        assertThat(settings.value("ibidem.size", 4)).isEqualTo(2);
        assertThat(settings.value("ibidem.rank", 4)).isEqualTo(3);
        assertThat(settings.value("ibidem.open", true)).isTrue();
        assertThat(settings.file()).contains(file());
        assertThat(settings.given("ibidem.rank").orElseThrow().place())
                .isEqualTo("line 3 of " + file());
        assertThat(settings.given("ibidem.size").orElseThrow().place())
                .isEqualTo("environment variable IBIDEM_SIZE");
    }

    @Test
    void what_has_a_name_for_each_is_found_wherever_it_is_set() throws IOException {
        var settings =
                with(
                        "ibidem.stack = tcp\nibidem.stack.a = shm\nibidem.stack.b = shm\n",
                        Map.of("ibidem.stack.b", "tcp"),
                        Map.of(
                                "IBIDEM_STACK",
                                "shm",
                                "IBIDEM_STACK_MY_TYPE",
                                "loopback",
                                "X",
                                "y"));
        assertThat(settings.under("ibidem.stack."))
                .extracting(Settings.Given::name, Settings.Given::value, Settings.Given::place)
                .containsExactly(
                        tuple("ibidem.stack.a", "shm", "line 2 of " + file()),
                        tuple("ibidem.stack.b", "tcp", "system property ibidem.stack.b"),
                        tuple(
                                "ibidem.stack.my_type",
                                "loopback",
                                "environment variable IBIDEM_STACK_MY_TYPE"));
    }

    @Test
    void the_environment_may_name_the_file_and_a_property_names_another() throws IOException {
        var other = Files.writeString(folder.resolve("other"), "ibidem.pool=other\n").toString();
        Files.writeString(file(), "ibidem.pool=mine\n");
        var variables = Map.of("IBIDEM_CONFIG", file().toString());
        assertThat(Settings.of(Map.of(), variables).text("ibidem.pool")).contains("mine");
        assertThat(Settings.of(Map.of("ibidem.config", other), variables).text("ibidem.pool"))
                .contains("other");
    }

    @Test
    void says_which_line_of_the_file_is_wrong() throws IOException {
        var settings =
                with(
                        "# of my cluster\nibidem.size = 4\n ibidem.stack.a = tcp\nibidem.size: many\n",
                        Map.of(),
                        Map.of());
        assertThatThrownBy(() -> settings.value("ibidem.size", 1))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith(
                        "ibidem.size (set by line 4 of " + file() + " to 'many'): expected a whole")
                .hasMessageContaining("read 'many'");
        assertThat(settings.given("ibidem.stack.a"))
                .hasValueSatisfying(
                        given -> assertThat(given.place()).isEqualTo("line 3 of " + file()));
    }

    @Test
    void a_file_that_sets_what_there_is_not_is_refused_with_what_was_meant() {
        assertThatThrownBy(() -> with("\nibidem.wiat=spin\n", Map.of(), Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "the configuration file "
                                + file()
                                + " (named by system property ibidem.config) sets ibidem.wiat"
                                + " (line 2), which there is not; did you mean ibidem.wait?");
    }

    @Test
    void a_file_that_cannot_be_read_is_named_with_who_named_it() throws IOException {
        var variables = Map.of("IBIDEM_CONFIG", file().toString());
        assertThatThrownBy(() -> Settings.of(Map.of(), variables))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "there is no configuration file "
                                + file()
                                + " (named by environment variable IBIDEM_CONFIG)");
        Files.write(file(), new byte[] {(byte) 0xFF, (byte) 0xFE});
        assertThatThrownBy(() -> Settings.of(Map.of(), variables))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining(file() + " (named by environment variable IBIDEM_CONFIG)")
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> with("ibidem.pool = \\u12\n", Map.of(), Map.of()))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void every_setting_says_what_it_is_and_is_found_by_its_name() {
        assertThat(Setting.ALL)
                .allSatisfy(setting -> {
                    assertThat(setting.meaning()).isNotBlank();
                    assertThat(Setting.of(setting.name().replace("*", "halo"))).contains(setting);
                });
        assertThat(Setting.of("ibidem.stak")).isEmpty();
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
