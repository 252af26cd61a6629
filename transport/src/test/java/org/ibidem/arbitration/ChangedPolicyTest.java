package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.nio.channels.SelectableChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Another way to wait is chosen in the middle of a wait.
@Timeout(20)
class ChangedPolicyTest {
    private static final int MANY = 10_000;

    /// Sleeps that had begun before the choice was seen.
    private static final int FEW = 10;

    private final Waiter waiter = new Waiter(WaitPolicy.SPIN_ONLY);
    private final AtomicInteger steps = new AtomicInteger();
    private final AtomicInteger sleeps = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private CompletableFuture<Void> waits = CompletableFuture.completedFuture(null);

    /// Has nothing, and counts the sleeps.
    private final class Input implements Waitable {
        @Override
        public Armed arm() {
            sleeps.incrementAndGet();
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public SelectableChannel channel() {
            return null;
        }

        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void bell(Doorbell bell) {}
    }

    @BeforeEach
    void begin() {
        waiter.add(new Input());
        waits =
                Background.run(() -> {
                    waiter.begin(Long.MAX_VALUE);
                    while (!over.get()) {
                        waiter.idle(Long.MAX_VALUE);
                        steps.incrementAndGet();
                    }
                    waiter.found();
                });
    }

    @AfterEach
    void end() {
        over.set(true);
        waiter.ring();
        waits.orTimeout(10, TimeUnit.SECONDS).join();
        waiter.close();
    }

    private void sleepsNow() {
        int before = sleeps.get();
        waiter.choose(WaitPolicy.SLEEP);
        eventually("it sleeps", () -> sleeps.get() > before);
    }

    @Test
    void who_spins_sleeps_at_once() {
        sleepsNow();
    }

    @Test
    void who_sleeps_spins_in_the_same_wait() {
        for (int i = 0; i < 3; i++) {
            sleepsNow();
            int slept = sleeps.get();
            waiter.choose(WaitPolicy.SPIN_ONLY);
            int before = steps.get();
            eventually("it spins", () -> steps.get() > before + MANY);
            assertThat(sleeps.get() - slept).isLessThan(FEW);
        }
    }
}
