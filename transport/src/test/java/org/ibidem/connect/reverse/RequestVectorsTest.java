package org.ibidem.connect.reverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Prelude;
import org.junit.jupiter.api.Test;

/// The format of requests to connect, and of preludes, stays what the vectors say.
class RequestVectorsTest {
    private final Vectors vectors = Vectors.read("reverse");
    private final Prelude.Turn turn = new Prelude.Turn(token());

    RequestVectorsTest() throws IOException {}

    private static byte[] token() {
        var token = new byte[16];
        for (int i = 0; i < token.length; i++) {
            token[i] = (byte) i;
        }
        return token;
    }

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 40_000);
    }

    @Test
    void requests_are_written_and_read_so() {
        var two = new Request(turn, List.of(address("192.168.1.11"), address("2001:db8:5:1::11")));
        assertThat(two.encode()).isEqualTo(vectors.get("two"));
        assertThat(Request.decode(vectors.get("two"))).isEqualTo(two);
    }

    @Test
    void preludes_are_written_and_told_so() {
        assertThat(turn.encode()).isEqualTo(vectors.get("turn"));
        assertThat(new Prelude.Observe().encode()).isEqualTo(vectors.get("observe"));
        assertThat(Prelude.of(Arrays.copyOf(vectors.get("turn"), 8)))
                .isInstanceOf(Prelude.Turn.class);
        assertThat(Prelude.of(vectors.get("observe"))).isEqualTo(new Prelude.Observe());
        assertThat(Prelude.of(new byte[8])).isNull();
    }

    @Test
    void what_must_be_refused_is() {
        assertThat(vectors.starting("bad."))
                .hasSize(7)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> Request.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }
}
