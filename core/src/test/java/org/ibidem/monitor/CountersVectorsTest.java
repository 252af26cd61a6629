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

class CountersVectorsTest {
    @TempDir Path folder;

    @Test
    void rows_are_the_bytes_of_the_vectors() throws IOException {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the vectors are a little-endian machine's");
        var vectors = Vectors.read("counters");
        try (var monitor = Monitor.open(folder.toString(), "node é")) {
            var tally = monitor.row("send port 'out'").tally();
            tally.message(100);
            tally.message(23);
            tally.add(Tally.What.REFUSED, 3);
            tally.add(Tally.What.DOORBELLS, 1);
            tally.add(Tally.What.SPINS, 4);
            tally.add(Tally.What.SLEEPS, 5);
            tally.add(Tally.What.MOVES, 6);
            var file = Files.readAllBytes(Monitor.files(folder).getFirst());
            assertThat(file).hasSize(CounterFile.ROWS * CounterFile.ROW);
            for (int i = 0; i < 2; i++) {
                int from = i * CounterFile.ROW;
                assertThat(Arrays.copyOfRange(file, from, from + CounterFile.ROW))
                        .as("row %d", i)
                        .isEqualTo(vectors.get("row." + i));
            }
            int rest = 2 * CounterFile.ROW;
            assertThat(Arrays.copyOfRange(file, rest, file.length))
                    .isEqualTo(new byte[file.length - rest]);
        }
    }
}
