package org.ibidem.lab.bench.crowd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.ibidem.lab.bench.figures.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CrowdTest {
    @TempDir Path folder;

    @Test
    @Tag("lab")
    @Tag("turn0")
    @Timeout(300)
    void a_small_crowd_gathers_hears_of_everything_and_disperses_in_every_way() throws Exception {
        gather("--quick");
    }

    @Test
    @Tag("full")
    @Timeout(1800)
    void ten_thousand_do() throws Exception {
        gather("--full");
    }

    private void gather(String size) throws Exception {
        var json = folder.resolve("registry.json");
        Crowd.run(size, "--json", json.toString());
        assertThat(Json.read(Files.readString(json)))
                .isInstanceOfSatisfying(
                        Map.class,
                        run -> {
                            assertThat(run.get("benchmark")).isEqualTo("registry");
                            assertThat((Map<?, ?>) run.get("measures"))
                                    .hasSize(CrowdMeasure.values().length);
                        });
    }

    @Test
    void what_is_not_known_is_said() {
        assertThatThrownBy(() -> CrowdOptions.parse("--fast"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown option '--fast'; known: --quick");
        assertThatThrownBy(() -> CrowdOptions.parse("--only", "gossip"))
                .hasMessageContaining("no way is called gossip");
        assertThatThrownBy(() -> CrowdOptions.parse("--members", "0"))
                .hasMessageContaining("1 or more");
    }

    @Test
    void only_those_named_take_part() {
        var options = CrowdOptions.parse("--only", "ibidem-none", "--only", "handshakes");
        assertThat(options.ways())
                .extracting(Way::name)
                .containsExactly("ibidem-none", "handshakes");
        assertThat(CrowdOptions.parse("--full").members()).isEqualTo(10_000);
    }
}
