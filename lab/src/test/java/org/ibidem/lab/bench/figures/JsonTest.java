package org.ibidem.lab.bench.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void reads_what_it_wrote() {
        var value =
                Map.of(
                        "a \"quoted\"\nname",
                        List.of(
                                1.5,
                                -2e9,
                                true,
                                "text",
                                List.of(),
                                Map.of("deep", List.of(List.of(0.25)))));

        assertThat(Json.read(Json.write(value))).isEqualTo(value);
    }

    @Test
    void says_where_a_text_is_wrong() {
        assertThatThrownBy(() -> Json.read("{\"a\": [1, 2}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("JSON: wanted ',' at character 11");
    }

    @Test
    void refuses_what_is_too_deep() {
        assertThatThrownBy(() -> Json.read("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 16 levels");
    }
}
