package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What `bin/mpjrun.sh` makes of MPJ Express' options: it is given a command that says how it was
/// called. A real job of it is in `MpiJobTest`.
@Timeout(60)
class MpjrunTest {
    private static final String ARGUMENTS = "<--java=-Dibidem.mpj.arguments=mpjexpress>";

    @TempDir Path folder;

    private record Said(int code, String text) {}

    private Said mpjrun(String... arguments) throws IOException, InterruptedException {
        var ibidem = folder.resolve("ibidem");
        Files.writeString(ibidem, "#!/bin/sh\nprintf '<%s>' \"$@\"; pwd\n");
        assertThat(ibidem.toFile().setExecutable(true)).isTrue();
        var command = new ArrayList<>(List.of(Path.of("..", "bin", "mpjrun.sh").toString()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("IBIDEM", ibidem.toString());
        var process = builder.start();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), said.strip());
    }

    @Test
    void options_become_those_of_run() throws Exception {
        var work = Files.createDirectory(folder.resolve("work"));
        var said =
                mpjrun(
                        "-np", "4", "-dev", "niodev", "-wdir", "" + work, "-cp", "a b:c", "-Dx=1 2",
                        "-Xmx1g", "-psl", "64k", "Main", "-np", "one two");
        assertThat(said.text())
                .isEqualTo(
                        "<run><-n><4><--java=-Dx=1 2><--java=-Xmx1g><--java=-Dibidem.mpj.eager=64k>"
                                + "<--java=-Dibidem.mpj.stack=tcp>"
                                + ARGUMENTS
                                + "<--class-path><a b:c><Main><-np><one two>"
                                + work.toRealPath());
        assertThat(said.code()).isZero();
    }

    @Test
    void without_options_one_process_is_started() throws Exception {
        assertThat(mpjrun("-jar", "ring.jar", "-dev").text())
                .startsWith("<run><-n><1>" + ARGUMENTS + "<ring.jar><-dev>/");
        for (var device : List.of("multicore", "hybdev")) {
            assertThat(mpjrun("-dev", device, "Main").text())
                    .startsWith("<run><-n><1>" + ARGUMENTS + "<Main>/");
        }
    }

    @Test
    void the_jar_of_mpj_express_is_left_out_of_the_class_path() throws Exception {
        assertThat(mpjrun("-cp", ".:/opt/mpj-v0_44/lib/mpj.jar:lib/*.jar", "Main").text())
                .contains("<--class-path><.:lib/*.jar><Main>");
        assertThat(mpjrun("-cp", "mpj.jar", "Main").text()).doesNotContain("class-path");
    }

    @ParameterizedTest
    @CsvSource({
        "-np, -np wants a value",
        "-dev mxdev Main, niodev TCP",
        "-machinesfile hosts Main, docs/run.md",
        "-fast Main, unknown option -fast",
        "-np 3, no program"
    })
    void what_is_not_there_is_refused_with_what_to_do(String arguments, String why)
            throws Exception {
        var said = mpjrun(arguments.split(" "));
        assertThat(said.text()).contains("mpjrun.sh: ").contains(why).doesNotContain("<run>");
        assertThat(said.code()).isEqualTo(2);
    }
}
