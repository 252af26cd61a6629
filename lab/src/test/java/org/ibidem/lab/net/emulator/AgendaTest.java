package org.ibidem.lab.net.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AgendaTest {
    @Test
    void gives_what_is_due_first_and_of_equals_the_first_that_came() {
        long seed = System.nanoTime();
        var random = new Random(seed);
        var agenda = new Agenda();
        var expected =
                new PriorityQueue<>(
                        Comparator.<long[]>comparingLong(e -> e[0]).thenComparingLong(e -> e[1]));
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(3) > 0 || expected.isEmpty()) {
                long when = random.nextInt(500);
                agenda.add(when, i);
                expected.add(new long[] {when, i});
            } else {
                var first = expected.remove();
                assertThat(agenda.next()).as("seed %d", seed).isEqualTo(first[0]);
                assertThat(agenda.take()).as("seed %d", seed).isEqualTo((int) first[1]);
            }
        }
    }

    @Test
    void has_nothing_due_when_empty() {
        var agenda = new Agenda();
        assertThat(agenda.next()).isEqualTo(Agenda.NEVER);
        agenda.add(5, 1);
        agenda.take();
        assertThat(agenda.next()).isEqualTo(Agenda.NEVER);
    }
}
