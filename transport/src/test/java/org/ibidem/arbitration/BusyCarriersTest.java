package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What goes on while programs' threads hold all carriers of virtual threads, in a process of its
/// own.
@Tag("slow")
class BusyCarriersTest {
    @Test
    void what_a_life_depends_on_goes_on_while_no_virtual_thread_runs() throws IOException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                List.of(
                        java,
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BusyCarriers.class.getName());
        var process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var out = process.inputReader()) {
            assertThat(out.lines())
                    .containsExactly(
                            "lock true",
                            "alarm true",
                            "vital true",
                            "driven true",
                            "virtual false");
        } finally {
            process.destroyForcibly();
        }
    }
}
