package org.ibidem.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ibidem.config.Services;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;
import org.ibidem.topology.Location;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreferencesTest {
    private static final List<ConnectMethod> ALL = Services.of(ConnectMethod.class);

    @TempDir private Path folder;

    private static Preferences of(String... settings) {
        return new Preferences(
                Settings.of(settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1])),
                ALL);
    }

    private static List<String> names(Preferences preferences, String location) {
        return preferences.towards(Location.parse(location)).orElseThrow().stream()
                .map(ConnectMethod::name)
                .toList();
    }

    @Test
    void nobody_has_to_say_anything() {
        assertThat(of().towards(Location.parse("a@b"))).isEmpty();
        assertThat(of().towards(null)).isEmpty();
        assertThat(of().whyNot(ALL.getFirst(), null)).isEmpty();
    }

    @Test
    void the_methods_named_are_used_in_the_order_named() {
        var some = of("ibidem.methods", "routed, direct");
        assertThat(names(some, "a@b")).containsExactly("routed", "direct");
        var splice = ALL.stream().filter(each -> each.name().equals("splice")).findAny();
        assertThat(some.whyNot(splice.orElseThrow(), null))
                .isEqualTo(
                        "ibidem.methods (system property ibidem.methods) allows only routed,"
                                + " direct");
        assertThat(some.whyNot(some.towards(null).orElseThrow().getFirst(), null)).isEmpty();
    }

    @Test
    void a_file_says_it_for_each_site() throws Exception {
        var file = folder.resolve("config.properties");
        Files.writeString(file, "ibidem.methods = direct, splice\nibidem.methods.paris = routed\n");
        var preferences =
                new Preferences(Settings.of(Map.of("ibidem.config", file.toString())), ALL);
        assertThat(names(preferences, "node7@cluster@paris")).containsExactly("routed");
        assertThat(names(preferences, "node7@cluster@rome")).containsExactly("direct", "splice");
    }

    @Test
    void what_is_no_method_is_an_error_that_says_where_it_was_set() {
        assertThatThrownBy(() -> of("ibidem.methods", "direct, teleport"))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("ibidem.methods")
                .hasMessageContaining("there is no connect method 'teleport', only [direct,");
    }
}
