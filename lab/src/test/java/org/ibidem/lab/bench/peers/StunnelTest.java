package org.ibidem.lab.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The programs that a benchmark has beside it do not stay behind.
@Tag("lab")
@Isolated("starts processes, of which one is killed")
@Timeout(120)
class StunnelTest {
    private static final int LIMIT_SECONDS = 40;
    private static final String LONG = "1000";

    @TempDir Path folder;

    /// A player that is killed.
    static final class Killed {
        public static void main(String[] log) throws IOException, InterruptedException {
            var beside = Stunnel.leashed(Path.of(log[0]).toFile(), "sleep", LONG);
            System.out.println(beside.pid());
            beside.waitFor();
        }
    }

    private String log() {
        return folder.resolve("log").toString();
    }

    @Test
    void one_that_is_let_go_ends() throws Exception {
        var beside = Stunnel.leashed(Path.of(log()).toFile(), "sleep", LONG);
        beside.getOutputStream().close();
        assertThat(beside.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void one_that_fails_is_seen_to_end() throws Exception {
        var beside = Stunnel.leashed(Path.of(log()).toFile(), "false");
        assertThat(beside.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(beside.exitValue()).isOne();
        beside.getOutputStream().close();
    }

    /// Who waits for the program is gone only when that is.
    @Test
    void one_whose_player_is_killed_ends() throws Exception {
        var player =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Killed.class.getName(),
                                log())
                        .redirectErrorStream(true)
                        .start();
        try (var said = player.inputReader()) {
            var beside = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
            assertThat(beside.isAlive()).isTrue();
            player.destroyForcibly();
            assertThat(beside.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS).isAlive()).isFalse();
        } finally {
            player.destroyForcibly();
        }
    }
}
