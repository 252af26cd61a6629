package org.ibidem.lab.bench.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RmiBenchTest {
    /// A wrong result, or a process that ends, ends it with an error.
    @Test
    @Tag("lab")
    void all_ways_play_to_the_end() throws Exception {
        var printed = new ByteArrayOutputStream();
        RmiBench.run(new PrintStream(printed, true, StandardCharsets.UTF_8), "--quick");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("ratio rmi-tcp-null jdk ", "aim 1.5")
                .contains("ratio rmi-shm-tree jdk ")
                .contains("ratio rmi-shm-threads-64 jdk ")
                .containsPattern("ratio rmi-tcp-threads-8 grpc .*, aim 3.0")
                .contains("ratio rmi-shm-bytes grpc ")
                .contains("ratio rmi-shm-sleep-null grpc-unix ")
                .contains("ratio rmi-questions-sleep-int grpc-unix ")
                .doesNotContain("ratio rmi-questions-sleep-null")
                .doesNotContain("ints grpc")
                // Of so few objects less may be left than of what else was collected meanwhile.
                .containsPattern("memory ours: -?\\d+ B for each of 1000 exported objects");
    }

    @Test
    void an_option_that_is_none_is_refused() {
        assertThatThrownBy(() -> RmiBench.run("--rounds", "3"))
                .hasMessage("known: --quick; not [--rounds, 3]");
    }
}
