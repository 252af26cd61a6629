package org.ibidem.apps.sat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SatTest {
    private static final int VARIABLES = 9;
    private static final int FORMULAS = 100;

    @TempDir Path folder;

    private Formula read(String text) throws IOException {
        return Formula.read(Files.writeString(folder.resolve("formula.cnf"), text));
    }

    private static int[][] clauses(Random random) {
        var clauses = new int[30 + random.nextInt(25)][];
        Arrays.setAll(
                clauses,
                _ ->
                        random.ints(1, VARIABLES + 1)
                                .distinct()
                                .limit(3)
                                .map(one -> random.nextBoolean() ? one : -one)
                                .toArray());
        return clauses;
    }

    private static boolean holds(int[][] clauses, int assignment) {
        return Arrays.stream(clauses)
                .allMatch(clause ->
                        Arrays.stream(clause)
                                .anyMatch(
                                        one -> (assignment >> Math.abs(one) & 1) == 1 == one > 0));
    }

    private static boolean canHold(int[][] clauses) {
        for (int assignment = 0; assignment < 2 << VARIABLES; assignment++) {
            if (holds(clauses, assignment)) {
                return true;
            }
        }
        return false;
    }

    /// As SATLIB writes them: a comment, clauses over several lines, an end with a percent sign.
    private static String dimacs(int[][] clauses) {
        var text = new StringBuilder("c made for a test\np cnf " + VARIABLES + " ");
        text.append(clauses.length).append('\n');
        for (var clause : clauses) {
            text.append("  ").append(clause[0]).append(' ').append(clause[1]).append('\n');
            text.append(clause[2]).append(" 0\n");
        }
        return text.append("%\n0\n\n").toString();
    }

    @Test
    void random_formulas_in_files_can_be_made_true_where_some_assignment_does() throws Exception {
        int satisfiable = 0;
        for (int seed = 0; seed < FORMULAS; seed++) {
            var clauses = clauses(new Random(seed));
            boolean can = canHold(clauses);
            var sat = new Sat(read(dimacs(clauses)));
            assertThat(sat.isSatisfiable()).as("seed %d", seed).isEqualTo(can);
            satisfiable += can ? 1 : 0;
        }
        assertThat(satisfiable).as("of both kinds").isBetween(FORMULAS / 5, FORMULAS * 4 / 5);
    }

    @Test
    void a_formula_of_pigeons_and_one_with_an_answer_in_it_have_known_answers() {
        for (int holes = 1; holes <= 6; holes++) {
            assertThat(new Sat(Formula.pigeons(holes)).isSatisfiable()).isFalse();
        }
        for (int seed = 0; seed < 10; seed++) {
            assertThat(new Sat(Formula.random(60, seed)).isSatisfiable()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'p cnf 2 1\n1 x 0\n', 'line 2: 1 x 0 '",
        "'p cnf 2 1\n1 3 0\n', 'line 2: 1 3 0 (there are 2 variables)'",
        "'p cnf\n1 0\n', 'line 1: p cnf'",
        "'c nothing\n', 'has no line ''p cnf'",
        "'p cnf 2 1\n1 2\n', 'ends within a clause'"
    })
    void a_file_that_is_none_is_refused_by_its_line(String text, String why) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("formula.cnf")
                .hasMessageContaining(why);
    }
}
