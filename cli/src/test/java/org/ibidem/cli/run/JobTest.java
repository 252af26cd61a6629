package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whose failure is told, where several have failed.
@Timeout(60)
class JobTest {
    private static Job.Rank shell(int number, String command) throws IOException {
        return new Job.Rank(number, new ProcessBuilder("sh", "-c", command).start());
    }

    private static Job.Rank ended(int number, String command) throws Exception {
        var rank = shell(number, command);
        assertThat(rank.process().waitFor(40, TimeUnit.SECONDS)).isTrue();
        return rank;
    }

    @Test
    void one_that_a_signal_ended_is_the_cause_though_it_is_seen_later() throws Exception {
        var alive = shell(0, "read line");
        var well = ended(1, "exit 0");
        var failed = ended(2, "exit 3");
        var killed = ended(3, "kill -9 $$");
        var all = List.of(alive, well, failed, killed);
        assertThat(Job.cause(failed, all)).isEqualTo(killed);
        assertThat(Job.cause(killed, all)).isEqualTo(killed);
        alive.process().destroyForcibly();
    }

    @Test
    void where_no_signal_ended_one_the_first_seen_is_the_cause() throws Exception {
        var alive = shell(0, "read line");
        var failed = ended(1, "exit 3");
        var other = ended(2, "exit 200"); // which is no signal
        assertThat(Job.cause(failed, List.of(alive, failed, other))).isEqualTo(failed);
        assertThat(Job.cause(other, List.of(alive, failed, other))).isEqualTo(other);
        alive.process().destroyForcibly();
    }

    @Test
    void of_two_that_a_signal_ended_the_first_seen_is_the_cause() throws Exception {
        var one = ended(0, "kill -15 $$");
        var other = ended(1, "kill -9 $$");
        assertThat(Job.cause(other, List.of(one, other))).isEqualTo(other);
    }
}
