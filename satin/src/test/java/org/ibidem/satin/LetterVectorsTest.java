package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The heads of letters stay what the vectors say.
class LetterVectorsTest {
    private static byte[] vector(String name) throws IOException {
        try (var in = LetterVectorsTest.class.getResourceAsStream("/wire/satin.txt")) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line -> line.startsWith(name + " = "))
                    .map(line -> line.substring(name.length() + 3).replace(" ", ""))
                    .map(HexFormat.of()::parseHex)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ask, 0, 258, 0, 0",
        "give, 1, 258, 7, 772",
        "none, 2, 258, 0, 0",
        "done, 3, 0, 7, 9",
        "threw, 4, 0, 7, 300",
        "back, 5, 0, 7, 0",
        "abandon, 6, 0, 7, 0"
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
}
