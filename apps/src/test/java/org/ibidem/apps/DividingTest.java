package org.ibidem.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The applications that divide and conquer, as compiled: sequential.
@Isolated("looks at what is printed")
class DividingTest {
    @ParameterizedTest
    @CsvSource({
        "fib.Fib, 20, 'fib(20) = 6765, right'",
        "queens.Queens, 8, '8 queens stand in 92 ways, right'",
        "knapsack.Knapsack, 16, 'the best of 16 things are worth 483, right'",
        "tsp.Tsp, 8, 'the shortest trip through 8 towns is 3236, right'",
        "sat.Sat, pigeons 5, 'UNSATISFIABLE, right'",
        "sat.Sat, random 40, 'SATISFIABLE, right'",
        "matrix.Matrix, 128 16, 'the product of 128 rows sums up to -1845407968, right'",
        "raytracer.Raytracer, 64 30, 'a picture of 30 balls, 64 pixels wide: 6824d7ce, right'",
        "raytracer.Raytracer, 512, 'a picture of 100 balls, 512 pixels wide: bf37ded5, right'",
        "barneshut.BarnesHut, 200 3 10, 'after 3 steps the first of 200 bodies is at 0.4454224655626964, right'",
        "integrate.Integrate, 1e-6, 'the area is 611930.2835549222, right'"
    })
    void finds_what_is_known(String name, String argument, String line) throws Exception {
        var main = Class.forName("org.ibidem.apps." + name).getMethod("main", String[].class);
        var before = System.out;
        var said = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
            main.invoke(null, (Object) argument.split(" "));
        } finally {
            System.setOut(before);
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .hasToString(line + System.lineSeparator());
    }
}
