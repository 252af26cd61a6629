package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Background;
import org.ibidem.channel.TwoNodes;
import org.ibidem.station.NodeRuntime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The numbers of requests, when they come round.
@Timeout(60)
class RequestNumbersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int KIND = 200;

    private final TwoNodes nodes = new TwoNodes();
    private final NodeRuntime alice = nodes.alice;
    private final NodeRuntime bob = nodes.bob;

    @AfterEach
    void close() {
        nodes.close();
    }

    @Test
    void a_request_that_waits_keeps_its_own() throws Exception {
        var asked = new CountDownLatch(1);
        var answer = new CompletableFuture<Void>();
        bob.peers()
                .serve(
                        KIND,
                        (_, what) -> {
                            if (what[0] == 1) {
                                asked.countDown();
                                answer.join();
                            }
                            return what;
                        });
        alice.peers().request(bob.id(), KIND, new byte[] {0}, LIMIT);
        var numbers = alice.peers().link(bob.id(), LIMIT).numbers;
        numbers.goOnFrom(Integer.MAX_VALUE);
        var first =
                Background.call(() -> alice.peers().request(bob.id(), KIND, new byte[] {1}, LIMIT));
        asked.await();
        numbers.goOnFrom(Integer.MAX_VALUE);
        assertThat(alice.peers().request(bob.id(), KIND, new byte[] {2}, LIMIT)).containsExactly(2);
        answer.complete(null);
        assertThat(first.join()).containsExactly(1);
    }
}
