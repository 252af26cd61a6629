package org.ibidem.connect.splice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.junit.jupiter.api.Test;

/// The format of offers stays what the vectors say.
class OfferVectorsTest {
    private static final long TOKEN = 0x0102030405060708L;

    private final Vectors vectors = Vectors.read("splice");

    OfferVectorsTest() throws IOException {}

    private static InetSocketAddress address(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    @Test
    void offers_are_written_and_read_so() {
        var three =
                new Offer(
                        true,
                        TOKEN,
                        List.of(
                                address("192.168.1.11", 40_000),
                                address("198.18.5.1", 20_011),
                                address("2001:db8:5:1::11", 40_000)));
        assertThat(three.encode()).isEqualTo(vectors.get("three"));
        assertThat(Offer.decode(vectors.get("three"))).isEqualTo(three);
        assertThat(new Offer(true, TOKEN, List.of()).encode()).isEqualTo(vectors.get("none"));
        assertThat(Offer.decode(vectors.get("none")).addresses()).isEmpty();
        assertThat(Offer.prepare(TOKEN).encode()).isEqualTo(vectors.get("prepare"));
        assertThat(Offer.decode(vectors.get("prepare"))).isEqualTo(Offer.prepare(TOKEN));
    }

    @Test
    void the_largest_offer_fits() {
        var all = Collections.nCopies(32, address("2001:db8::1", 1));
        assertThat(Offer.decode(new Offer(true, TOKEN, all).encode()).addresses()).isEqualTo(all);
    }

    @Test
    void what_must_be_refused_is() {
        assertThat(vectors.starting("bad."))
                .hasSize(11)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> Offer.decode(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }
}
