package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.apps.view.Palette;
import org.ibidem.apps.view.Sample;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplingTest {
    /// However many there are, each row of the picture is of one process, and shows the right
    /// cells.
    @ParameterizedTest
    @CsvSource({"8, 1", "9, 3", "64, 5", "700, 3", "1023, 7"})
    void the_parts_of_all_make_the_picture(int size, int ranks) {
        var plate = new Plate(size, Picture.standard(size));
        var whole = Sequential.solve(plate, 3);
        int side = Math.min(size, Sample.MOST);
        int row = 0;
        for (int rank = 0; rank < ranks; rank++) {
            var rows = Rows.of(rank, ranks, size);
            var block = new Block(plate, rows.first(), rows.count());
            System.arraycopy(
                    whole.cells(),
                    whole.base(rows.first()),
                    block.cells(),
                    block.base(rows.first()),
                    rows.count() * size);
            var sample = new Sampling(block, size, 3).sample(2, false);
            assertThat(sample.side()).isEqualTo(side);
            assertThat(sample.top()).isEqualTo(row);
            for (int at = 0; at < sample.pixels().length; at++) {
                int y = row + at / side;
                double cell = whole.cells()[whole.base(y * size / side) + at % side * size / side];
                assertThat(sample.pixels()[at]).isEqualTo(Palette.shade(cell));
            }
            row += sample.pixels().length / side;
        }
        assertThat(row).isEqualTo(side);
    }
}
