package org.ibidem.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.stream.IntStream;
import org.ibidem.Logged;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ComplaintsTest {
    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final Logged logged = new Logged(ComplaintsTest.class);
    private final Complaints complaints =
            new Complaints(System.getLogger(ComplaintsTest.class.getName()), threads);

    @AfterEach
    void close() {
        logged.close();
        threads.close();
    }

    private void complain(int times) {
        for (int i = 1; i <= times; i++) {
            complaints.say(Level.WARNING, "number " + i);
        }
    }

    @Test
    void a_thousand_complaints_are_twenty_lines_and_later_the_number_of_the_others() {
        complain(1000);
        assertThat(logged.lines())
                .isEqualTo(
                        IntStream.rangeClosed(1, 20).mapToObj(i -> "WARNING number " + i).toList());

        clock.advance(Duration.ofSeconds(10));
        complain(1);
        assertThat(logged.lines())
                .hasSize(22)
                .endsWith(
                        "WARNING 980 more complaints of this kind were not logged",
                        "WARNING number 1");
    }

    @Test
    void a_few_complaints_are_all_logged_in_every_while() {
        for (int i = 0; i < 3; i++) {
            complain(20);
            clock.advance(Duration.ofSeconds(10));
        }
        assertThat(logged.lines()).hasSize(60).noneMatch(line -> line.contains("not logged"));
    }
}
