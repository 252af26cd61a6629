package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InTimeTest {
    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("node", clock);

    @AfterEach
    void close() {
        threads.close();
    }

    /// For what never comes.
    private static void await() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    private boolean run(Runnable body) {
        return InTime.run(threads, Duration.ofSeconds(1), "limit", body);
    }

    @Test
    void what_ends_before_is_left_alone() {
        assertThat(run(() -> {})).isTrue();
        clock.advance(Duration.ofSeconds(2));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void who_waits_longer_is_interrupted_and_no_more_afterwards() {
        assertThat(
                        run(() -> {
                            clock.advance(Duration.ofSeconds(2));
                            await();
                        }))
                .isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /// It had begun to end by itself.
    @Test
    void an_interrupt_that_comes_as_it_ends_does_not_outlive_it() {
        assertThat(
                        run(() -> {
                            clock.advance(Duration.ofSeconds(2));
                            while (!Thread.currentThread().isInterrupted()) {
                                Thread.onSpinWait();
                            }
                        }))
                .isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interrupt_of_somebody_else_is_theirs() {
        assertThatThrownBy(() ->
                        run(() -> {
                            Thread.currentThread().interrupt();
                            await();
                        }))
                .isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }
}
