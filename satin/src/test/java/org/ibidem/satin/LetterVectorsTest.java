package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;
import org.ibidem.Vectors;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The heads of letters stay what the vectors say.
class LetterVectorsTest {
    private static byte[] vector(String name) throws IOException {
        return Vectors.read("satin").get(name);
    }

    @ParameterizedTest
    @CsvSource({
        "ask, 0, 258, 0, 0",
        "give, 1, 258, 7, 772",
        "none, 2, 258, 0, 0",
        "done, 3, 0, 7, 9",
        "threw, 4, 0, 7, 300",
        "back, 5, 0, 7, 0",
        "abandon, 6, 0, 7, 0",
        "write, 7, 3, 0, 12",
        "share, 8, 0, 0, 300",
        "orphan, 9, 1234605616436508552, -81985529216486896, 0",
        "claim, 10, 1234605616436508552, 7, 0",
        "count, 11, 258, 0, 0",
        "counted, 12, 258, 0, 40"
    })
    void a_head_is_as_its_vector_says(String name, int kind, long number, long stamp, int size)
            throws IOException {
        var letter =
                new Letter(
                        Objects.requireNonNull(Letter.Kind.of(kind)),
                        number,
                        stamp,
                        new byte[size]);
        assertThat(letter.head()).isEqualTo(vector(name));
    }

    @Test
    void a_write_names_its_object() throws IOException {
        var letter = Letter.write(3, "SO1-ab", new byte[] {1, 2, 3, 4});
        assertThat(letter.head()).isEqualTo(vector("write"));
        assertThat(letter.body()).isEqualTo(vector("write body"));
        assertThat(letter.write().id()).isEqualTo("SO1-ab");
        assertThat(letter.write().bytes()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void a_job_follows_its_place() throws IOException {
        var giver =
                new Crew(
                        Copies.policy(false, LetterVectorsTest.class.getClassLoader()),
                        false,
                        NodeId.of(new byte[16]));
        var letter =
                Letter.give(
                        258, new Parcel(giver, 7, 0x1122334455667788L, new byte[] {10, 11, 12}));
        assertThat(letter.body()).isEqualTo(vector("give body"));
        assertThat(letter.parcel(giver).place()).isEqualTo(0x1122334455667788L);
        assertThat(letter.parcel(giver).job()).containsExactly(10, 11, 12);
        var none = new Letter(Letter.Kind.GIVE, 258, 7, new byte[7]);
        assertThatThrownBy(() -> none.parcel(giver)).hasMessage("it gives no job");
    }

    @Test
    void what_was_done_is_five_numbers() throws IOException {
        var letter = Letter.counted(258, new Tally("", 1, 1, 2, 3, 4, 5));
        assertThat(letter.head()).isEqualTo(vector("counted"));
        assertThat(letter.body()).isEqualTo(vector("counted body"));
        assertThat(letter.tally("north")).isEqualTo(new Tally("north", 1, 1, 2, 3, 4, 5));
        var none = new Letter(Letter.Kind.COUNTED, 258, 0, new byte[39]);
        assertThatThrownBy(() -> none.tally("north")).hasMessage("it does not say what was done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "05", "0000", "0300 6162", "ffff 61"})
    void what_is_no_write_is_refused(String body) {
        var bytes = HexFormat.of().parseHex(body.replace(" ", ""));
        var letter = new Letter(Letter.Kind.WRITE, 1, 0, bytes);
        assertThatThrownBy(letter::write).hasMessage("it names no object");
    }
}
