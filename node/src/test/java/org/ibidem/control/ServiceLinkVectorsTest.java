package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.ibidem.Vectors;
import org.junit.jupiter.api.Test;

/// The format of requests, answers and notes stays what the vectors say.
class ServiceLinkVectorsTest {
    private final Vectors vectors = Vectors.read("channels");

    ServiceLinkVectorsTest() throws IOException {}

    @Test
    void requests_answers_and_notes_have_these_bytes() {
        var body = new byte[] {10, 11, 12};
        assertThat(ServiceLink.asking(ServiceLink.REQUEST, 5, Peers.OPEN, body))
                .isEqualTo(vectors.get("request"));
        assertThat(ServiceLink.answer(5, body)).isEqualTo(vectors.get("answer"));
        assertThat(ServiceLink.failure(5, "no €")).isEqualTo(vectors.get("failure"));
        assertThat(ServiceLink.asking(ServiceLink.NOTE, 0, Peers.CLOSE, new byte[] {13}))
                .isEqualTo(vectors.get("note"));
    }

    /// A reason may quote what a peer called itself.
    @Test
    void a_reason_too_long_is_cut_and_still_sent() {
        assertThat(ServiceLink.failure(1, "x" + "😀".repeat(400))).hasSizeLessThan(1040);
    }
}
