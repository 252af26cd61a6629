package org.ibidem.cli.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.LinkedBlockingQueue;
import org.ibidem.Eventually;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// How the lines of several processes are put together.
@Tag("lab")
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class OutputTest {
    private static Process printing(String format) throws IOException {
        return new ProcessBuilder("printf", format).start();
    }

    /// What looks whether a line is still without its end does so when the test wants.
    @Test
    void a_question_is_shown_before_its_line_ends() throws Exception {
        var out = new ByteArrayOutputStream();
        var looks = new LinkedBlockingQueue<Runnable>();
        var output = new Output(new PrintStream(out, true), System.err, 2, looks::add);
        var asking =
                new ProcessBuilder("sh", "-c", "printf 'name? '; read it; echo hi $it").start();
        output.follow(0, asking);
        looks.take().run();
        assertThat(out).hasToString("[0] name? ");
        asking.getOutputStream().write("ann\n".getBytes(UTF_8));
        asking.getOutputStream().close();
        output.drain(10_000);
        assertThat(out).hasToString("[0] name? hi ann\n");
    }

    @Test
    void the_line_of_another_does_not_stand_behind_a_question() throws Exception {
        var out = new ByteArrayOutputStream();
        var looks = new LinkedBlockingQueue<Runnable>();
        var output = new Output(new PrintStream(out, true), System.err, 2, looks::add);
        var asking = new ProcessBuilder("sh", "-c", "printf 'a? '; read it; echo b").start();
        var silent = new ProcessBuilder("sh", "-c", "printf 'c? '; read it; echo").start();
        output.follow(0, asking);
        looks.take().run();
        output.follow(1, silent);
        looks.take().run();
        assertThat(out).hasToString("[0] a? \n[1] c? ");
        asking.getOutputStream().close();
        assertThat(asking.waitFor()).isZero();
        Eventually.eventually("it is shown", () -> out.toString(UTF_8).endsWith("b\n"));
        silent.getOutputStream().close();
        output.drain(10_000);
        assertThat(out).hasToString("[0] a? \n[1] c? \n[0] b\n");
    }

    @Test
    void what_goes_on_in_time_is_one_line() throws Exception {
        var out = new ByteArrayOutputStream();
        var looks = new LinkedBlockingQueue<Runnable>();
        var output = new Output(new PrintStream(out, true), System.err, 2, looks::add);
        output.follow(0, printing("one"));
        var early = looks.take();
        output.drain(10_000);
        early.run();
        assertThat(out).hasToString("[0] one\n");
    }

    @Test
    void a_line_that_may_be_replaced_is_a_line_where_there_is_no_terminal() throws Exception {
        var out = new ByteArrayOutputStream();
        var output = new Output(new PrintStream(out, true), System.err, 12);
        var process = new ProcessBuilder("printf", "half\\rwhole\\nrest").start();
        output.follow(3, process);
        output.drain(10_000);
        assertThat(out).hasToString("[ 3] half\n[ 3] whole\n[ 3] rest\n");
    }
}
