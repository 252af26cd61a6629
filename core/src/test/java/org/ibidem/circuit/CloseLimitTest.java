package org.ibidem.circuit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.buffer.Frame;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One limit for all that a close waits for.
@Timeout(60)
class CloseLimitTest {
    private static final Duration LIMIT = Duration.ofSeconds(4);
    private static final Duration MORE = Duration.ofMillis(5500);

    /// Three of its four seconds pass before it has the turn, and then its link is full.
    @Test
    @Tag("slow")
    void a_close_has_one_limit_for_its_turn_and_for_its_links() throws Exception {
        try (var group = new Group(2);
                var circuit = open(group, 0);
                var _ = open(group, 1)) {
            CircuitTest.send(circuit, 1, 1);
            var full = new CountDownLatch(1);
            var never = new CountDownLatch(1);
            var holding =
                    Background.run(() -> {
                        circuit.enter();
                        fill(circuit, 1);
                        full.countDown();
                        assertThat(never.await(3, TimeUnit.SECONDS)).isFalse();
                        circuit.leave();
                    });
            full.await();
            long begin = System.nanoTime();
            boolean _ = circuit.close(LIMIT);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(MORE);
            holding.join();
        }
    }

    private static Circuit open(Group group, int member) {
        return Circuit.open(
                group.stations.get(member), "test", group.ids(), "loopback", new Mailbox(2));
    }

    private static void fill(Circuit circuit, int to) {
        var room = new Frame();
        while (circuit.claim(to, room, 1)) {
            room.position = room.limit;
            circuit.commit(to, room, 0);
        }
    }
}
