package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The file of a job's key, from the job's beginning to its end.
@Tag("lab")
@Isolated("starts processes")
@Timeout(120)
class KeptKeyTest {
    private static final String PROGRAM =
            """
            void main() throws Exception {
                IO.println("key " + System.getenv("IBIDEM_JOB"));
                System.in.read();
            }
            """;

    @TempDir Path folder;
    private String program = "";

    @BeforeEach
    void write() throws IOException {
        program = Files.writeString(folder.resolve("Asks.java"), PROGRAM).toString();
    }

    private static String key(Launched job) throws IOException {
        var line = job.line();
        return line.substring(line.indexOf("key ") + "key ".length());
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static void end(Launched job) throws IOException {
        job.process().getOutputStream().write("end\n".getBytes(StandardCharsets.UTF_8));
        job.process().getOutputStream().flush();
    }

    @Test
    void it_is_its_users_alone_and_goes_with_the_job() throws Exception {
        try (var job = Launched.run(folder, program)) {
            var file = Path.of(key(job));
            assertThat(mode(file)).isEqualTo("rw-------");
            assertThat(mode(file.getParent())).isEqualTo("rwx------");
            end(job);
            assertThat(job.code()).as(job.errors()).isZero();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void it_goes_with_a_job_that_is_interrupted() throws Exception {
        try (var job = Launched.run(folder, program)) {
            var file = Path.of(key(job));
            assertThat(file).exists();
            job.process().destroy();
            job.code();
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void an_open_job_has_none_and_says_so() throws Exception {
        try (var job = Launched.run(folder, "--open", program)) {
            assertThat(key(job)).isEqualTo("null");
            end(job);
            assertThat(job.code()).as(job.errors()).isZero();
            assertThat(job.errors()).contains("WARNING: --open", "it has no key");
        }
    }
}
