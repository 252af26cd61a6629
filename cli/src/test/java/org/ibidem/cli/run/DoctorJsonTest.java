package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `ibidem doctor` says, read by a reader that takes nothing but JSON, where numbers are
/// usually written with a comma.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
@Timeout(180)
class DoctorJsonTest {
    @TempDir Path folder;

    private Map<?, ?> doctor(int code, String... words) throws Exception {
        try (var doctor = Launched.german(folder, "doctor", words)) {
            var lines = doctor.lines();
            assertThat(doctor.code()).as(doctor.errors()).isEqualTo(code);
            return (Map<?, ?>) Json.parse(String.join("\n", lines));
        }
    }

    @Test
    void with_a_hub_on_this_machine_and_a_peer() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0))) {
            var at = "localhost:" + hub.port();
            try (var node = Node.join(Join.pool("demo").hub(at).size(1))) {
                var said = doctor(0, "--json", "--peer", "0", "--pool", "demo", "--hub", at);
                assertThat(said.get("egress")).isEqualTo("UNKNOWN");
                assertThat((String) said.get("summary"))
                        .contains("is not known from here: the hub is on this machine");
                assertThat((List<?>) said.get("in"))
                        .isNotEmpty()
                        .allSatisfy(in ->
                                assertThat(((Map<?, ?>) in).get("passage")).isEqualTo("WITHIN"));
                assertThat((Double) said.get("answer_ms")).isPositive();
                for (var whither : List.of("to_peer", "from_peer")) {
                    assertThat((List<?>) said.get(whither))
                            .anySatisfy(tried -> {
                                var direct = (Map<?, ?>) tried;
                                assertThat(direct.get("method")).isEqualTo("direct");
                                assertThat(direct.get("connected")).isEqualTo(true);
                                assertThat((Double) direct.get("ms")).isPositive();
                            });
                }
                assertThat(node.members()).hasSize(1);
            }
        }
    }

    @Test
    void without_a_hub() throws Exception {
        int free;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        var said = doctor(1, "--json", "--hub", "127.0.0.1:" + free);
        assertThat((String) said.get("hub")).contains("refused");
        assertThat((List<?>) said.get("out"))
                .singleElement()
                .satisfies(
                        out -> assertThat(((Map<?, ?>) out).get("passage")).isEqualTo("REFUSED"));
    }

    @Test
    void in_words_too_numbers_have_a_point() throws Exception {
        try (var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var doctor =
                        Launched.german(folder, "doctor", "--hub", "localhost:" + hub.port())) {
            assertThat(doctor.lines())
                    .anyMatch(line -> line.matches("the hub: .* [0-9]+\\.[0-9] ms"))
                    .anyMatch(line -> line.matches("out over IPv4: .* took [0-9]+\\.[0-9] ms"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\": 1,5}", "[1,]", "{\"a\" 1}", "[01]", "\"\\x\"", "[1] 2", "["})
    void what_is_no_json_is_none_to_the_reader(String text) {
        assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
