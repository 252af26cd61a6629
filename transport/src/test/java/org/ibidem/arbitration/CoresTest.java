package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CoresTest {
    /// Says what it finds.
    static final class Asked {
        private Asked() {}

        public static void main(String[] arguments) {
            System.out.print(Cores.here());
        }
    }

    private static String in(String... command) throws Exception {
        assumeTrue(Cores.here() == Cores.SEVERAL, "this process has one core only");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/taskset")), "there is no taskset");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var all = new ArrayList<>(List.of(command));
        all.addAll(
                List.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path")
                                + ":"
                                + System.getProperty("jdk.module.path", ""),
                        Asked.class.getName()));
        var process = new ProcessBuilder(all).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void who_was_pinned_by_a_starter_that_is_not_may_have_its_peers_on_other_cores()
            throws Exception {
        assertThat(in("taskset", "-c", "0")).isEqualTo("PINNED");
    }

    @Test
    void who_was_started_by_one_that_is_pinned_shares_the_core() throws Exception {
        assertThat(in("taskset", "-c", "0", "sh", "-c", "\"$@\"; exit 0", "sh")).isEqualTo("ONE");
    }
}
