package org.ibidem.cli;

import static java.time.Duration.ZERO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.ibidem.config.Limit;
import org.ibidem.config.Setting;
import org.ibidem.config.Settings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `ibidem explain config`, with a file of configuration and properties of its own.
@Isolated("sets what the whole JVM sees")
class ExplainConfigTest {
    private static final String FILE = "ibidem.config";
    private static final String WAIT = "ibidem.wait";

    /// A setting with a number, as a property or a variable of the environment.
    private static final Pattern SET =
            Pattern.compile("((?:ibidem\\.[a-z.]+|IBIDEM_[A-Z_]+))=([1-9]\\w*)(?![\\w./])");

    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void file() {
        System.setProperty(FILE, folder.resolve("c").toString());
    }

    @AfterEach
    void clear() {
        System.clearProperty(FILE);
        System.clearProperty(WAIT);
    }

    private int explain(String file) throws Exception {
        Files.writeString(folder.resolve("c"), file);
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute("explain", "config");
    }

    @Test
    void tells_the_order_in_which_settings_are_looked_for() throws Exception {
        assertThat(explain("")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "1  the system property",
                        "2  the environment variable",
                        "3  the configuration file: " + folder.resolve("c"),
                        "4  what the program says",
                        "5  the default",
                        "ibidem.stack.NAME) goes before one for all");
    }

    @Test
    void lists_every_setting_with_its_meaning() throws Exception {
        assertThat(explain("")).isZero();
        assertThat(Setting.ALL)
                .allSatisfy(setting ->
                        assertThat(out.toString()).contains(setting.name(), setting.meaning()));
    }

    @Test
    void the_guide_names_every_limit_with_its_default() throws Exception {
        var page = Files.readString(Path.of("../docs/guide/limits.md"));
        for (var limit : Limit.values()) {
            var byDefault = Setting.of(limit.setting()).orElseThrow().byDefault();
            assertThat(page).contains("| `" + limit.setting() + "` | " + byDefault + " |");
            assertThat(limit.of(Settings.of(Map.of()))).isEqualTo(Settings.read(byDefault, ZERO));
        }
    }

    /// Readers copy it from the help and the pages.
    @Test
    void what_is_shown_of_a_number_or_a_time_can_be_set() throws Exception {
        var shown = new TreeSet<String>();
        for (var setting : Setting.ALL) {
            if (setting.byDefault().matches("[1-9]\\w*")) {
                shown.add(setting.name() + "=" + setting.byDefault());
            }
        }
        try (var pages = Files.walk(Path.of("../docs"))) {
            for (var page : pages.filter(each -> each.toString().endsWith(".md")).toList()) {
                var set = SET.matcher(Files.readString(page));
                while (set.find()) {
                    var name = set.group(1).toLowerCase(Locale.ROOT).replace('_', '.');
                    shown.add(name + "=" + set.group(2));
                }
            }
        }
        assertThat(shown).contains("ibidem.limit.join=1min").hasSizeGreaterThan(15);
        for (var line : shown) {
            assertThat(explain(line + "\n")).as("%s: %s", line, err).isZero();
        }
    }

    @Test
    void a_limit_is_more_than_nothing() throws Exception {
        assertThat(explain("ibidem.limit.join=0s\n")).isEqualTo(1);
        assertThat(out.toString() + err).contains("ibidem.limit.join", "a limit is more than 0");
    }

    /// There is a check for each, which is not asked where nothing is set.
    @Test
    void knows_what_becomes_of_every_setting() {
        var checks = new SettingChecks(Settings.of(Map.of()));
        for (var setting : Setting.ALL) {
            var given = new Settings.Given(setting.name(), setting.byDefault(), "a test");
            assertThatCode(() -> checks.problem(setting.name(), given)).doesNotThrowAnyException();
        }
    }

    @Test
    void tells_values_and_where_they_come_from() throws Exception {
        System.setProperty(WAIT, "spin");
        assertThat(explain("ibidem.wait=sleep\nibidem.stack.halo = shm\nibidem.buffer=64k\n"))
                .isZero();
        assertThat(line(WAIT)).contains(" spin ").endsWith("system property ibidem.wait");
        assertThat(line("ibidem.stack.halo"))
                .contains(" shm ")
                .endsWith("line 2 of " + folder.resolve("c"));
        assertThat(line("ibidem.buffer")).contains(" 64k ").contains("line 3 of");
        assertThat(line("ibidem.pool")).contains(" default ").endsWith("not set");
    }

    @Test
    void says_what_is_wrong_with_the_file_and_nothing_of_java() throws Exception {
        assertThat(explain("ibidem.stak=tcp\n")).isEqualTo(1);
        assertThat(err.toString())
                .contains(
                        "sets ibidem.stak (line 1), which there is not; did you mean ibidem.stack?")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ibidem.stack | fragmant > tcp",
                "ibidem.stack.halo | shm >",
                "ibidem.wait | long",
                "ibidem.heartbeat | often",
                "ibidem.suspicion | 0s",
                "ibidem.authority | /nowhere",
                "ibidem.certificate | /nowhere",
                "ibidem.mpj.eager | long",
                "ibidem.mpj.debug | perhaps",
                "ibidem.mpj.progress | perhaps",
                "ibidem.mpj.window | 0",
                "ibidem.mpj.arguments | others",
                "ibidem.satin.threads | 0",
                "ibidem.satin.stealing | nonsense",
                "ibidem.satin.returns | nothing",
                "ibidem.satin.progress | often",
                "ibidem.satin.patience | long",
                "ibidem.sockets | garbage",
                "ibidem.buffer | 1k",
                "ibidem.monitor | /proc",
                "ibidem.shm | /nowhere",
                "ibidem.hub | here",
                "ibidem.size | -1",
                "ibidem.rank | first",
                "ibidem.open | perhaps",
                "ibidem.port | 99999",
                "ibidem.membership | all",
                "ibidem.location | @",
                "ibidem.identity | /proc/version",
                "ibidem.methods | pigeon",
                "ibidem.methods.rome | pigeon",
                "ibidem.site.rome | everywhere",
                "ibidem.egress.rome | door",
                "ibidem.costs | direct",
                "ibidem.costs.rome | direct=soon",
                "ibidem.proxy | ftp://x",
            })
    void a_value_that_is_refused_where_it_is_used_is_refused(String name, String value)
            throws Exception {
        assertThat(explain(name + " = " + value + "\n")).isEqualTo(1);
        assertThat(out.toString().lines().filter(line -> line.contains("REFUSED: "))).hasSize(1);
    }

    @Test
    void a_name_that_is_no_setting_is_told_with_the_nearest_that_is() throws Exception {
        System.setProperty("ibidem.hubb", "x");
        try {
            assertThat(explain("")).isEqualTo(1);
            assertThat(out.toString())
                    .contains(
                            "NOT KNOWN: the system property ibidem.hubb is no setting; did you mean"
                                    + " the system property ibidem.hub?");
        } finally {
            System.clearProperty("ibidem.hubb");
        }
    }

    private String line(String setting) {
        return out.toString()
                .lines()
                .filter(line -> line.startsWith(setting + " "))
                .findFirst()
                .orElse("");
    }
}
