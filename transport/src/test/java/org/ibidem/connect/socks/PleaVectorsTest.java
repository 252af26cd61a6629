package org.ibidem.connect.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.socks.Plea.What;
import org.junit.jupiter.api.Test;

/// The format of pleas stays what the vectors say.
class PleaVectorsTest {
    private final Vectors vectors = Vectors.read("socks");

    PleaVectorsTest() throws IOException {}

    private static InetSocketAddress address(String literal) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), 40_000);
    }

    @Test
    void pleas_are_written_and_read_so() {
        var dial = new Plea(What.DIAL, address("198.18.3.1"));
        assertThat(dial.encode()).isEqualTo(vectors.get("dial"));
        assertThat(Plea.decode(vectors.get("dial"))).isEqualTo(dial);
        assertThat(new Plea(What.BIND, null).encode()).isEqualTo(vectors.get("bind"));
        assertThat(Plea.decode(vectors.get("bind"))).isEqualTo(new Plea(What.BIND, null));
    }

    @Test
    void answers_are_written_and_read_so() {
        var where = address("2001:db8:3::1");
        assertThat(Plea.answer(where)).isEqualTo(vectors.get("answer.where"));
        assertThat(Plea.decodeAnswer(vectors.get("answer.where"))).isEqualTo(where);
        assertThat(Plea.answer(null)).isEqualTo(vectors.get("answer.none"));
        assertThat(Plea.decodeAnswer(vectors.get("answer.none"))).isNull();
    }

    @Test
    void what_must_be_refused_is() {
        assertThat(vectors.starting("bad."))
                .hasSize(6)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> Plea.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }
}
