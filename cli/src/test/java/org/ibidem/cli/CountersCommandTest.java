package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.ibidem.buffer.Tally;
import org.ibidem.monitor.Monitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets what the whole JVM sees")
class CountersCommandTest {
    private static final String SETTING = "ibidem.monitor";
    private static final long ME = ProcessHandle.current().pid();

    @TempDir Path folder;

    @BeforeEach
    void choose() {
        System.setProperty(SETTING, folder.toString());
    }

    @AfterEach
    void clear() {
        System.clearProperty(SETTING);
    }

    private static String said(String... arguments) {
        var out = new StringWriter();
        int code = Main.commandLine().setOut(new PrintWriter(out, true)).execute(arguments);
        assertThat(code).isZero();
        return out.toString();
    }

    @Test
    void shows_what_each_connection_has_counted_while_it_counts() {
        var later = new ArrayDeque<BooleanSupplier>();
        try (var monitor = Monitor.open(folder.toString(), "node abc of pool demo", later::add)) {
            var row = monitor.row("send port 'out' to port 'in'");
            row.tally().count(1_234);
            row.tally().count(1);
            assertThat(later.remove().getAsBoolean()).isTrue();
            row.tally().add(Tally.What.DOORBELLS, 7);
            assertThat(said("counters"))
                    .contains("process " + ME + ", node abc of pool demo")
                    .containsPattern("messages +bytes +refused +doorbells +spins +sleeps")
                    .containsPattern("send port 'out' to port 'in' +2 +1235 +0 +7 +0 +0");
            assertThat(said("counters", String.valueOf(ME))).contains("node abc");
            assertThat(said("counters", "1"))
                    .isEqualToIgnoringNewLines(
                            "process 1 counts nothing in "
                                    + folder
                                    + ": it has no node, is another user's, or has ended");
        }
    }

    @Test
    void passes_over_what_the_dead_have_left() throws Exception {
        try (var monitor = Monitor.open(folder.toString(), "node abc", _ -> false)) {
            assertThat(monitor.row("row").tally()).isNotNull();
            var mine = Monitor.files(folder).getFirst();
            var name = mine.getFileName().toString();
            var dead = name.replace("counters-" + ME + "-", "counters-999999999-");
            Files.copy(mine, folder.resolve(dead));
            assertThat(said("counters")).contains("process " + ME).doesNotContain("999999999");
        }
    }

    /// A link to nothing is listed and cannot be read, like a file that goes in between.
    @Test
    void passes_over_what_goes_while_it_looks() throws Exception {
        try (var monitor = Monitor.open(folder.toString(), "node abc", _ -> false)) {
            assertThat(monitor.row("row").tally()).isNotNull();
            var mine = Monitor.files(folder).getFirst().getFileName().toString();
            var gone = folder.resolve(mine.substring(0, mine.lastIndexOf('-')) + "-gone");
            Files.createSymbolicLink(gone, folder.resolve("nothing"));
            assertThat(Monitor.files(folder)).contains(gone);
            assertThat(said("counters")).containsOnlyOnce("process " + ME).contains("node abc");
        }
        assertThat(said("counters")).contains("no process counts in " + folder);
    }

    @Test
    void says_so_where_they_are_off() {
        System.setProperty(SETTING, "off");
        assertThat(said("counters")).contains("the setting ibidem.monitor is off");
    }
}
