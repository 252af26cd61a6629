package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

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

    @Test
    void says_what_it_does_not_know() {
        assertThat(ibidem("dance")).isEqualTo(2);
        assertThat(err.toString()).contains("dance");
    }
}
