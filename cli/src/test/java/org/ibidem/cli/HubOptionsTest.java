package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import org.ibidem.hub.Bounds;
import org.ibidem.hub.ConnectionUse;
import org.ibidem.hub.Hub;
import org.ibidem.hub.RelayUse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class HubOptionsTest {
    private static Hub.Options options(String... words) {
        var command = new HubCommand();
        new CommandLine(command).parseArgs(words);
        return command.options();
    }

    @Test
    void without_a_word_a_hub_is_as_in_the_documentation() {
        assertThat(options()).isEqualTo(Hub.Options.DEFAULT);
    }

    @Test
    void every_option_arrives() {
        assertThat(
                        options(
                                "--port",
                                "1",
                                "--observer-port",
                                "2",
                                "--open",
                                "--suspicion",
                                "3",
                                "--state",
                                "here",
                                "--relay-rate",
                                "4",
                                "--relay-pool-rate",
                                "5",
                                "--relay-idle",
                                "6",
                                "--pool-connections",
                                "7",
                                "--node-connections",
                                "8",
                                "--address-connections",
                                "9"))
                .isEqualTo(
                        Hub.Options.DEFAULT
                                .port(1)
                                .observer(2)
                                .open(true)
                                .bounds(Bounds.DEFAULT.suspicion(Duration.ofSeconds(3)))
                                .state(Path.of("here"))
                                .relaying(new RelayUse(4, 5, Duration.ofSeconds(6)))
                                .connecting(new ConnectionUse(7, 8, 9)));
    }

    @Test
    void other_pools_need_one_that_has_an_authority() {
        assertThatThrownBy(() -> options("--other-pools"))
                .isInstanceOf(ParameterException.class)
                .hasMessage("--other-pools needs --authority: without one a hub takes every pool");
    }

    @ParameterizedTest
    @CsvSource({
        "--relay-rate, limits of relaying are 0",
        "--relay-pool-rate, limits of relaying are 0",
        "--relay-idle, limits of relaying are 0",
        "--pool-connections, 1 connection or more",
        "--node-connections, 1 connection or more",
        "--address-connections, 0 (any) or more",
        "--port, '--port is 0 to 65535, not -1'",
        "--observer-port, --observer-port is 0 to 65535",
        "--suspicion, '--suspicion is 1 or more, not -1'"
    })
    void what_cannot_be_is_a_misuse(String option, String why) {
        assertThatThrownBy(() -> options(option, "-1"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining(why);
    }
}
