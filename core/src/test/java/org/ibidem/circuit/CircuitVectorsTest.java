package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The format of requests for links of circuits stays what the vectors say.
class CircuitVectorsTest {
    private static final int MEMBER = 6;
    private static final int MEMBERS = 10;

    private final byte[] bytes = Vectors.read("circuit").get("request");

    CircuitVectorsTest() throws IOException {}

    @Test
    void a_request_is_written_and_read_as_the_vector_says() {
        var members =
                List.of(
                        new NodeId(0x0102030405060708L, 0x090a0b0c0d0e0f10L),
                        new NodeId(0x1112131415161718L, 0x191a1b1c1d1e1f20L));
        var request = new CircuitRequest("heat", 1, 2, CircuitRequest.sum(members), "auto");
        assertThat(request.encode()).isEqualTo(bytes);
        assertThat(CircuitRequest.decode(bytes)).isEqualTo(request);
        assertThat(CircuitRequest.sum(members.reversed())).isNotEqualTo(request.group());
    }

    @ParameterizedTest
    @CsvSource({MEMBER + ", 2", MEMBER + ", -1", MEMBERS + ", 0", MEMBERS + ", -1"})
    void a_member_that_is_none_is_refused(int at, byte value) {
        bytes[at] = value;
        if (value < 0) {
            bytes[at + 3] = value;
        }
        assertThatThrownBy(() -> CircuitRequest.decode(bytes)).isInstanceOf(Malformed.class);
    }

    @Test
    void a_request_that_ends_early_or_late_is_refused() {
        for (int length = 0; length < bytes.length; length++) {
            var part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> CircuitRequest.decode(part)).isInstanceOf(Malformed.class);
        }
        var more = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> CircuitRequest.decode(more)).isInstanceOf(Malformed.class);
    }
}
