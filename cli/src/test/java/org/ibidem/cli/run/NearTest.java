package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearTest {
    private static final List<String> NAMES =
            List.of("run", "watch", "hub", "pool", "explain", "counters", "ping", "sor", "life");

    @ParameterizedTest
    @CsvSource({
        "rnu, run",
        "runn, run",
        "wacth, watch",
        "expalin, explain",
        "conuter, counters",
        "pong, ping",
        "sorr, sor"
    })
    void one_that_is_misspelt_is_found(String typed, String meant) {
        assertThat(Near.to(typed, NAMES)).first().isEqualTo(meant);
    }

    @Test
    void what_is_something_else_is_near_nothing() {
        assertThat(Near.to("com.example.Main", NAMES)).isEmpty();
        assertThat(Near.to("shop", NAMES)).isEmpty();
    }
}
