package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// What a job leaves behind that could not be, or whose launcher was killed: a sentence, or
/// nothing.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
class TidyEndTest {
    private static final String STAYS =
            """
            void main() throws Exception {
                IO.println("pid " + ProcessHandle.current().pid());
                Thread.sleep(600_000);
            }
            """;

    private static final String JOINS =
            """
            import org.ibidem.registry.*;

            void main() {
                Node.join(Join.fromEnvironment()).close();
            }
            """;

    @TempDir Path folder;

    @Test
    void a_killed_launcher_leaves_no_temporary_files() throws Exception {
        var source = Files.writeString(folder.resolve("Stays.java"), STAYS);
        var temporary = Files.createDirectory(folder.resolve("temporary"));
        try (var run = Launched.runIn(temporary, folder, "-n", "2", source.toString())) {
            run.awaitRanks(2);
            assertThat(temporary).isNotEmptyDirectory();
            run.process().destroyForcibly();
            assertThat(run.nobodyIsLeft()).isTrue();
            assertThat(temporary).isEmptyDirectory();
        }
    }

    @Test
    void a_hub_that_is_not_there_costs_a_program_one_sentence() throws Exception {
        var source = Files.writeString(folder.resolve("Joins.java"), JOINS);
        try (var run = Launched.run(folder, "--hub", "localhost:1", source.toString())) {
            assertThat(run.lines()).isEmpty();
            assertThat(run.code()).isEqualTo(1);
            assertThat(run.errors().lines().toList())
                    .hasSize(2)
                    .satisfiesExactly(
                            why ->
                                    assertThat(why)
                                            .startsWith("[0] Joins: no hub could be reached: ")
                                            .endsWith("or name another address"),
                            end -> assertThat(end).contains("rank 0 failed: exit code 1"));
        }
    }

    @Test
    void the_example_of_its_help_runs() throws Exception {
        try (var run =
                Launched.run(folder, "-n", "2", "sor", "--size", "64", "--iterations", "10")) {
            assertThat(run.lines()).as(run.errors()).isNotEmpty();
            assertThat(run.code()).isZero();
        }
    }
}
