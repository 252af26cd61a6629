package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.ibidem.Background;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TurnTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 2_000;

    private final Turn turn = new Turn();
    private final AtomicInteger inside = new AtomicInteger();

    /// Whoever has to be woken up is always slower than whoever just gave it back.
    @Test
    @Timeout(30)
    void who_waits_gets_it_from_one_who_takes_it_again_at_once() {
        var over = new AtomicBoolean();
        var rounds = new AtomicInteger();
        var busy =
                Background.run(() -> {
                    while (!over.get()) {
                        turn.take("the busy one");
                        rounds.incrementAndGet();
                        hold(Duration.ofMillis(1));
                        turn.giveBack();
                    }
                });
        for (int i = 0; i < 200; i++) {
            int before = rounds.get();
            eventually("the other one has it", () -> rounds.get() > before);
            turn.take("the other one");
            turn.giveBack();
        }
        over.set(true);
        busy.join();
    }

    private static void hold(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Timeout(60)
    void it_has_one_holder_and_is_never_lost_whoever_gives_up_waiting() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        var all = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < THREADS; i++) {
            var random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed + i);
            all.add(
                    Background.run(() -> {
                        for (int round = 0; round < ROUNDS; round++) {
                            use(random);
                        }
                    }));
        }
        all.forEach(CompletableFuture::join);
        assertThat(turn.tryTake()).as("-Dtest.seed=%d", seed).isTrue();
    }

    private void use(RandomGenerator random) {
        long patience = random.nextLong(3_000_000);
        if (turn.take("one of many", System.nanoTime() + patience)) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            hold(Duration.ofNanos(random.nextInt(random.nextInt(20) == 0 ? 2_000_000 : 2_000)));
            inside.decrementAndGet();
            turn.giveBack();
        }
    }
}
