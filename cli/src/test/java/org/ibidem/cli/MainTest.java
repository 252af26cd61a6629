package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int ibidem(String... args) {
        return Main.commandLine()
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
        assertThat(err.toString()).contains("Name a subcommand", "Usage: ibidem");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping 0", "explain 0 0"})
    void who_looks_into_a_pool_that_takes_no_more_is_told_what_to_do(String command) {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var at = "localhost:" + hub.port();
            try (var node = Node.join(Join.pool("full").hub(at).size(1))) {
                assertThat(node.rank()).isZero();
                var words = (command + " --pool full --hub " + at).split(" ", -1);
                assertThat(ibidem(words)).isNotZero();
                assertThat(err.toString())
                        .contains("has all its 1 members", "joins the pool for a moment", "ask");
            }
        }
    }

    @Test
    void says_what_it_does_not_know() {
        assertThat(ibidem("dance")).isEqualTo(2);
        assertThat(err.toString()).contains("dance");
    }
}
