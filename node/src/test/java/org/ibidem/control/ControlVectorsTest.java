package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.control.ControlFrames.Received;
import org.junit.jupiter.api.Test;

/// The format of control links stays what the vectors say.
class ControlVectorsTest {
    private final Vectors vectors = Vectors.read("control");

    ControlVectorsTest() throws IOException {}

    private static Received read(byte[] bytes) throws IOException {
        return new ControlFrames.Reader(65536)
                .next(Channels.newChannel(new ByteArrayInputStream(bytes)));
    }

    private static byte[] bytes(ByteBuffer frame) {
        var bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    @Test
    void messages_are_written_and_read_so() throws IOException {
        var payload = new byte[] {10, 11, 12};
        assertThat(bytes(ControlFrames.frame(ControlFrames.MESSAGE, payload)))
                .isEqualTo(vectors.get("message"));
        assertThat(read(vectors.get("message")).payload).isEqualTo(payload);
        assertThat(bytes(ControlFrames.frame(ControlFrames.MESSAGE, new byte[0])))
                .isEqualTo(vectors.get("empty"));
        assertThat(read(vectors.get("empty")).payload).isEmpty();
    }

    @Test
    void signs_of_life_are_written_and_read_so() throws IOException {
        assertThat(bytes(ControlFrames.frame(ControlFrames.PING, new byte[0])))
                .isEqualTo(vectors.get("ping"));
        assertThat(read(vectors.get("ping")).kind).isEqualTo(ControlFrames.PING);
        assertThat(bytes(ControlFrames.frame(ControlFrames.PONG, new byte[0])))
                .isEqualTo(vectors.get("pong"));
        assertThat(read(vectors.get("pong")).kind).isEqualTo(ControlFrames.PONG);
    }

    @Test
    void goodbyes_are_written_and_read_so() throws IOException {
        assertThat(bytes(ControlFrames.goodbye("bye €"))).isEqualTo(vectors.get("goodbye"));
        assertThat(read(vectors.get("goodbye")).text()).isEqualTo("bye €");
    }

    @Test
    void what_must_be_refused_is() {
        assertThat(vectors.starting("bad."))
                .hasSize(5)
                .allSatisfy((name, bytes) ->
                        assertThatThrownBy(() -> read(bytes))
                                .as(name)
                                .isInstanceOf(Malformed.class));
    }

    @Test
    void the_reason_of_a_goodbye_is_shown_without_control_characters() {
        var goodbye = "\u001b[31m\nred".getBytes(StandardCharsets.UTF_8);
        assertThat(new ControlFrames.Received(0, goodbye).text()).isEqualTo("\\u001b[31m\\nred");
    }
}
