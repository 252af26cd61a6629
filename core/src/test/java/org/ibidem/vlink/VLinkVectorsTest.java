package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The format of requests for channels of VLinks stays what the vectors say.
class VLinkVectorsTest {
    private static final Map<String, VLinkRequest> REQUESTS =
            Map.of(
                    "connect", new VLinkRequest.Connect(7, "echo", "10.0.0.1 4000"),
                    "back", new VLinkRequest.Back(7));

    private final Vectors vectors = Vectors.read("vlink");

    VLinkVectorsTest() throws IOException {}

    private byte[] bytes(String name) {
        return vectors.get(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "back"})
    void a_request_is_written_and_read_as_the_vector_says(String name) {
        var request = Objects.requireNonNull(REQUESTS.get(name));
        assertThat(request.encode()).isEqualTo(bytes(name));
        assertThat(VLinkRequest.decode(bytes(name))).isEqualTo(request);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "back"})
    void a_request_that_ends_early_or_late_is_refused(String name) {
        var bytes = bytes(name);
        for (int length = 0; length < bytes.length; length++) {
            var part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> VLinkRequest.decode(part)).isInstanceOf(Malformed.class);
        }
        var more = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> VLinkRequest.decode(more)).isInstanceOf(Malformed.class);
    }

    @Test
    void a_kind_that_is_none_is_refused() {
        var bytes = bytes("back").clone();
        bytes[0] = 3;
        assertThatThrownBy(() -> VLinkRequest.decode(bytes))
                .isInstanceOf(Malformed.class)
                .hasMessageContaining("3 is none");
    }
}
