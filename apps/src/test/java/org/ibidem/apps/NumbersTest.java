package org.ibidem.apps;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.apps.fib.Fib;
import org.ibidem.apps.integrate.Integrate;
import org.ibidem.apps.matrix.Matrix;
import org.junit.jupiter.api.Test;

class NumbersTest {
    private static String said(Class<?> main, int code, String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isEqualTo(code);
        return said.strip();
    }

    @Test
    void what_is_wrong_is_said_with_what_may_stand_there() throws Exception {
        assertThat(said(Fib.class, 2, "ten"))
                .isEqualTo(
                        "fib: 'ten' is no whole number from 0 to 92; usage: fib [N [THRESHOLD]]");
        assertThat(said(Fib.class, 2, "10", "1")).contains("'1' is no whole number from 2 to 92");
        assertThat(said(Fib.class, 0, "10")).isEqualTo("fib(10) = 55, right");
        assertThat(said(Integrate.class, 2, "-0.1")).contains("'-0.1' is no number greater than 0");
        assertThat(said(Matrix.class, 2, "12")).contains("a matrix has 1, 2, 4, 8");
    }
}
