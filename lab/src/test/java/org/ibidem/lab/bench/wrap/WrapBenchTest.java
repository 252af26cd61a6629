package org.ibidem.lab.bench.wrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// `./bench wrap` runs to its end.
@EnabledOnOs(OS.LINUX)
class WrapBenchTest {
    @Test
    @Timeout(120)
    @Tag("lab")
    void each_way_is_measured() throws Exception {
        assumeTrue(Programs.there("cc"), "there is no C compiler: './ibidem setup'");
        System.setProperty("ibidem.home", System.getProperty("ibidem.home", ".."));
        var said = new ByteArrayOutputStream();
        WrapBench.play(1, true, new PrintStream(said, true, StandardCharsets.UTF_8));
        var text = said.toString(StandardCharsets.UTF_8);
        for (var way : new Way[] {Way.ALONE, Way.ELSEWHERE, Way.DIRECT, Way.CARRIED}) {
            assertThat(text).containsPattern(way.name() + " +[0-9.]+ us \\([0-9.]+\\)");
        }
        assertThat(text).contains("aim: a connect on one machine");
        if (Programs.there("iperf3")) {
            assertThat(text).containsPattern("carried +[0-9.]+ Gbit/s");
            assertThat(text).containsPattern("by tls +[0-9.]+ Gbit/s");
            if (Tunnels.there()) {
                assertThat(text).containsPattern("ssh -L +[0-9.]+ Gbit/s");
                assertThat(text).contains("aim: iperf3 by tls is as fast as by ssh -L");
            }
            if (Wires.there()) {
                assertThat(text).containsPattern("wireguard-go +[0-9.]+ Gbit/s");
                assertThat(text).contains("aim: iperf3 by tls is as fast as by wireguard-go");
            }
        }
        if (Corba.there()) {
            assertThat(text).containsPattern("(?s)omniORB.*by tls +[0-9.]+ per s");
        }
        if (Database.there()) {
            assertThat(text).containsPattern("(?s)pgbench.*by tls +[0-9.]+ per s");
        }
    }

    @Test
    void options_that_are_none_are_refused() {
        assertThatThrownBy(() -> WrapBench.run("--rounds", "0"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--rounds N");
    }
}
