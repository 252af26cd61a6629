package org.ibidem.mpj.device.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.ibidem.Vectors;
import org.ibidem.buffer.Frame;
import org.ibidem.mpj.device.Envelope;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The format of frames between devices stays what the vectors say.
class HeaderVectorsTest {
    private static final Envelope MESSAGE = new Envelope(1, 2, 7, 3, 5, 12, 4, false, false);

    private final Frame room = new Frame();

    HeaderVectorsTest() {
        room.show(Arena.ofAuto().allocate(64), 0, 64);
    }

    static byte[] vector(String name) throws IOException {
        return Vectors.read("mpj").get(name);
    }

    private byte[] written() {
        return room.memory.asSlice(0, room.position).toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @CsvSource({"eager, 1, -1", "sync, 2, 9", "start, 3, 9"})
    void a_message_begins_as_the_vector_says(String name, int kind, int number) throws IOException {
        Header.write(room, kind, number, MESSAGE);
        assertThat(written()).isEqualTo(vector(name));
    }

    @ParameterizedTest
    @CsvSource({
        "reply, 5, 9, 17",
        "done, 7, 9, 0",
        "credit, 8, 0, 524288",
        "cancel, 9, 9, 12884901895",
        "cancelled, 10, 9, 0",
        "version, 11, 0, 2"
    })
    void an_answer_is_as_the_vector_says(String name, int kind, int request, long value)
            throws IOException {
        Header.write(room, kind, request, value);
        assertThat(written()).isEqualTo(vector(name));
    }
}
