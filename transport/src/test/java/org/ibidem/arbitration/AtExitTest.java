package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is done at the end of a program, however that comes.
@Timeout(60)
class AtExitTest {
    private static final int MANY = 8;

    /// Ends as its argument says, and says what is done then.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) throws InterruptedException {
            var end = arguments[0];
            if (end.equals("late")) {
                Runtime.getRuntime().addShutdownHook(new Thread(Program::addLate));
                return;
            }
            for (int i = 0; i < MANY; i++) { // in any order: some come after one that fails
                int number = i;
                AtExit.add(begun -> said(number, begun));
                AtExit.add(_ -> fail(number));
            }
            LongConsumer dropped = _ -> say("dropped");
            AtExit.add(dropped);
            AtExit.remove(dropped);
            say("ready");
            switch (end) {
                case "exit" -> System.exit(3);
                case "halt" -> Runtime.getRuntime().halt(4);
                case "signal" -> Thread.currentThread().join();
                default -> {
                    // main ends
                }
            }
        }

        private static void addLate() {
            AtExit.add(_ -> fail(0));
            say("as if nothing were");
        }

        private static void said(int number, long begun) {
            say(number + (begun - System.nanoTime() <= 0 ? " since " : " before ") + begun);
        }

        private static void fail(int number) {
            throw new IllegalStateException(number + " fails for this test");
        }

        private static void say(String line) {
            System.out.println(line);
        }
    }

    /// What the program says when it ends so.
    private static List<String> said(String end, int status) throws Exception {
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path")
                                        + ":"
                                        + System.getProperty("jdk.module.path", ""),
                                Program.class.getName(),
                                end)
                        .redirectErrorStream(true)
                        .start();
        try (var from = process.inputReader()) {
            if (end.equals("signal")) {
                awaitReady(from);
                process.toHandle().destroy(); // which leaves what it says to be read
            }
            var lines = from.readAllLines();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("%s", lines).isEqualTo(status);
            return lines.stream().filter(line -> !line.equals("ready")).toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static void awaitReady(BufferedReader from) throws IOException {
        assertThat(from.readLine()).isEqualTo("ready");
    }

    @ParameterizedTest
    @CsvSource({"main, 0", "exit, 3", "signal, 143"})
    void each_action_has_its_turn_though_others_fail_and_hears_when_the_end_began(
            String end, int status) throws Exception {
        var lines = said(end, status);
        assertThat(lines).hasSize(MANY).allMatch(line -> line.matches("[0-9] since -?[0-9]+"));
        assertThat(lines.stream().map(line -> line.substring(1)).distinct())
                .as("it began once")
                .hasSize(1);
    }

    @Test
    void nothing_is_done_by_a_program_that_halts() throws Exception {
        assertThat(said("halt", 4)).isEmpty();
    }

    @Test
    void an_action_that_comes_when_the_end_has_begun_does_no_harm() throws Exception {
        assertThat(said("late", 0)).containsExactly("as if nothing were");
    }
}
