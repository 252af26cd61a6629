package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The program in the README, started as the README says.
@Tag("lab")
@Isolated("starts processes, of which some are killed")
class ReadmeTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);

    @TempDir Path folder;

    @Test
    void its_program_compiles_runs_and_says_what_it_should() throws Exception {
        var program = PROGRAM.matcher(Files.readString(Path.of("..", "README.md")));
        assertThat(program.find()).isTrue();
        var source = Files.writeString(folder.resolve("Hello.java"), program.group(1));
        try (var run = Launched.run(folder, "-n", "2", source.toString())) {
            assertThat(run.lines())
                    .as(run.errors())
                    .hasSize(2)
                    .anyMatch(line -> line.matches("\\[0] hello from rank 1 and \\d+ bytes"))
                    .anyMatch(line -> line.matches("\\[1] hello from rank 0 and \\d+ bytes"));
            assertThat(run.code()).as(run.errors()).isZero();
        }
    }
}
