package org.ibidem.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.ibidem.Vectors;
import org.ibidem.buffer.Tally;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file of counters stays what the vectors say.
class CounterVectorsTest {
    private static final int ROW = 256;
    private static final int COUNTERS = 128;

    private final Vectors vectors;

    @TempDir Path folder;

    CounterVectorsTest() throws IOException {
        vectors = Vectors.read("counters");
    }

    @Test
    void a_row_is_written_and_read_as_the_vectors_have_it() throws IOException {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are of a little-endian machine");
        var file = folder.resolve("counters");
        var memory = CounterFile.create(file, "node");
        var tally = CounterFile.take(memory, 3, "in é", () -> {});
        tally.count(256);
        tally.count(2);
        assertThat(tally.show()).isTrue();
        assertThat(tally.show()).as("nothing new").isFalse();
        int count = 2;
        for (var what : Tally.What.values()) {
            if (what.offset() > Tally.What.BYTES.offset()) {
                tally.add(what, ++count);
            }
        }
        var bytes = Files.readAllBytes(file);
        assertThat(bytes).hasSize(ROW * ROW);
        assertThat(Arrays.copyOfRange(bytes, 3 * ROW, 4 * ROW)).startsWith(vectors.get("label"));
        var counts = vectors.get("counts");
        int from = 3 * ROW + COUNTERS;
        assertThat(Arrays.copyOfRange(bytes, from, from + counts.length)).isEqualTo(counts);
        assertThat(Arrays.copyOfRange(bytes, from + counts.length, 4 * ROW)).containsOnly(0);
        assertThat(CounterFile.read(file).getLast().label()).isEqualTo("in é");
        CounterFile.free(memory, 3);
        assertThat(Files.readAllBytes(file)).isNotEqualTo(bytes);
        assertThat(Arrays.copyOfRange(Files.readAllBytes(file), 3 * ROW, 3 * ROW + 4))
                .isEqualTo(vectors.get("free"));
        assertThat(CounterFile.read(file)).hasSize(1);
    }
}
