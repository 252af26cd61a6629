package org.ibidem.apps.sor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The numerical part, without any process but this one.
class SolverTest {
    private static Plate plate(int size) {
        return new Plate(size, Picture.standard(size));
    }

    /// The definition, written down once more without any cleverness.
    private static double[][] plainly(Plate plate, int iterations) {
        int n = plate.size();
        var cells = new double[n][n];
        for (int row = 0; row < n; row++) {
            for (int column = 0; column < n; column++) {
                cells[row][column] =
                        plate.isFixed(row, column) ? plate.temperature(row, column) : 0;
            }
        }
        for (int half = 0; half < 2 * iterations; half++) {
            for (int row = 0; row < n; row++) {
                for (int column = 0; column < n; column++) {
                    if ((row + column) % 2 == half % 2 && !plate.isFixed(row, column)) {
                        double mean =
                                0.25
                                        * (cells[row - 1][column]
                                                + cells[row + 1][column]
                                                + cells[row][column - 1]
                                                + cells[row][column + 1]);
                        cells[row][column] += plate.omega() * (mean - cells[row][column]);
                    }
                }
            }
        }
        return cells;
    }

    @Test
    void the_solver_does_what_the_definition_says() {
        var plate = plate(65);
        var solved = Sequential.solve(plate, 20);
        var expected = plainly(plate, 20);
        for (int row = 0; row < 65; row++) {
            for (int column = 0; column < 65; column++) {
                assertThat(solved.cells()[solved.base(row) + column])
                        .as("row %d column %d", row, column)
                        .isEqualTo(expected[row][column]);
            }
        }
    }

    @Test
    void the_residual_falls_to_the_last_bit_and_the_field_is_a_mean_everywhere() {
        var plate = plate(128);
        var block = new Block(plate, 0, 128);
        double first = Sequential.iterate(block);
        double last = first;
        for (int i = 0; i < 600; i++) {
            last = Sequential.iterate(block);
        }
        assertThat(first).isGreaterThan(0.1);
        assertThat(last).isLessThan(1e-13);
        for (int row = 1; row < 127; row++) {
            for (int column = 1; column < 127; column++) {
                int at = block.base(row) + column;
                var cells = block.cells();
                double mean =
                        (cells[at - 1] + cells[at + 1] + cells[at - 128] + cells[at + 128]) / 4;
                if (!plate.isFixed(row, column)) {
                    assertThat(cells[at]).isCloseTo(mean, within(1e-12));
                }
            }
        }
    }

    @Test
    void fixed_cells_keep_the_temperature_of_the_picture() {
        var plate = plate(100);
        var solved = Sequential.solve(plate, 10);
        int fixed = 0;
        for (int row = 0; row < 100; row++) {
            for (int column = 0; column < 100; column++) {
                if (plate.isFixed(row, column)) {
                    fixed++;
                    assertThat(solved.cells()[solved.base(row) + column])
                            .isEqualTo(plate.temperature(row, column));
                }
            }
        }
        assertThat(fixed).isBetween(400, 2000);
    }

    /// Halo rows copied by hand: what the processes do, without the messages.
    @ParameterizedTest
    @CsvSource({"64, 1", "64, 2", "65, 3", "65, 7", "16, 16"})
    void blocks_that_exchange_their_outermost_rows_give_the_same_bits(int size, int ranks) {
        var plate = plate(size);
        var blocks = new ArrayList<Block>();
        for (int rank = 0; rank < ranks; rank++) {
            var rows = Rows.of(rank, ranks, size);
            blocks.add(new Block(plate, rows.first(), rows.count()));
        }
        double residual = 0;
        for (int i = 0; i < 30; i++) {
            residual = Math.max(half(blocks, Block.RED), half(blocks, Block.BLACK));
        }
        var comparison = new Comparison(Sequential.solve(plate, 30), size);
        for (var block : blocks) {
            for (int row = block.first(); row < block.first() + block.rows(); row++) {
                comparison.row(row, block.cells(), block.base(row));
            }
        }
        assertThat(comparison.equal()).as(comparison.toString()).isTrue();

        var whole = Sequential.solve(plate, 29);
        assertThat(residual).isEqualTo(Sequential.iterate(whole));
    }

    private static double half(List<Block> blocks, int colour) {
        double worst = 0;
        for (var block : blocks) {
            worst =
                    Math.max(
                            worst,
                            block.relax(block.first(), block.first() + block.rows(), colour));
        }
        var cells = new double[(blocks.getFirst().count(0, Block.RED) + 1) * 2];
        for (int i = 1; i < blocks.size(); i++) {
            var above = blocks.get(i - 1);
            var below = blocks.get(i);
            above.take(below.first() - 1, colour, cells);
            below.put(below.first() - 1, colour, cells);
            below.take(below.first(), colour, cells);
            above.put(below.first(), colour, cells);
        }
        return worst;
    }

    @Test
    void a_comparison_finds_one_wrong_bit_and_a_missing_row() {
        var plate = plate(32);
        var right = Sequential.solve(plate, 5);
        var other = Sequential.solve(plate, 5);
        other.cells()[other.base(3) + 4] = Math.nextUp(other.cells()[other.base(3) + 4]);

        var comparison = new Comparison(right, 32);
        for (int row = 0; row < 32; row++) {
            comparison.row(row, other.cells(), other.base(row));
        }
        assertThat(comparison.equal()).isFalse();
        assertThat(comparison.toString()).contains("1 cells differ", "row 3 column 4");

        var incomplete = new Comparison(right, 32);
        for (int row = 0; row < 31; row++) {
            incomplete.row(row, right.cells(), right.base(row));
        }
        assertThat(incomplete.equal()).isFalse();
        assertThat(incomplete.toString()).contains("31 of 32 rows");
    }

    @ParameterizedTest
    @CsvSource({"8, 8", "1024, 3", "1000, 7", "8192, 64"})
    void shares_of_rows_cover_the_plate_and_differ_by_one_at_most(int size, int ranks) {
        int next = 0;
        for (int rank = 0; rank < ranks; rank++) {
            var rows = Rows.of(rank, ranks, size);
            assertThat(rows.first()).isEqualTo(next);
            assertThat(rows.count()).isBetween(size / ranks, size / ranks + 1);
            next = rows.last() + 1;
        }
        assertThat(next).isEqualTo(size);
    }

    @Test
    void more_processes_than_rows_are_refused_with_both_numbers() {
        assertThatThrownBy(() -> Rows.of(0, 9, 8))
                .isInstanceOf(BadProblem.class)
                .hasMessageContaining("8 rows")
                .hasMessageContaining("9 processes");
    }
}
