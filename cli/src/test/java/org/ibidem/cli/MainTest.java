package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.ibidem.hub.Hub;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int ibidem(String... args) {
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    void tells_its_version() {
        assertThat(ibidem("--version")).isZero();
        assertThat(out.toString()).startsWith("ibidem ").contains("Java ");
    }

    @Test
    void tells_what_it_can_do() {
        assertThat(ibidem("--help")).isZero();
        assertThat(out.toString()).contains("Usage: ibidem");
    }

    @Test
    void says_that_a_subcommand_is_missing() {
        assertThat(ibidem()).isEqualTo(2);
        assertThat(err.toString()).contains("Name a subcommand", "ibidem --help");
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"ping 0", "explain 0 0", "doctor --peer 0"})
    void who_looks_into_a_pool_that_is_not_there_is_told_so(String command) {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var words = (command + " --pool gone --hub localhost:" + hub.port()).split(" ", -1);
            assertThat(ibidem(words)).isEqualTo(1);
            assertThat(err.toString())
                    .isEqualToIgnoringNewLines(
                            "ibidem "
                                    + words[0]
                                    + ": there is no pool 'gone' at this hub: start its members"
                                    + " first");
        }
    }

    @Test
    void looks_only_at_the_subcommand_that_is_named() {
        assertThat(Main.commandLine().getSubcommands()).containsKeys("run", "wrap", "help");
        Main.commandLine()
                .getSubcommands()
                .forEach((name, each) -> {
                    assertThat(each.getCommandName()).isEqualTo(name);
                    int expected = List.of("completion", "man", "help").contains(name) ? 15 : 1;
                    assertThat(Main.commandLine(name).getSubcommands())
                            .as(name)
                            .containsKey(name)
                            .hasSize(expected);
                });
        assertThat(Main.commandLine("run", "-n", "2").getSubcommands()).containsOnlyKeys("run");
    }

    @Test
    void says_what_it_does_not_know() {
        assertThat(ibidem("dance")).isEqualTo(2);
        assertThat(err.toString()).contains("dance");
    }
}
