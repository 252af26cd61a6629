package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Phaser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TurnTest {
    private static final Executor PLATFORM = task -> Thread.ofPlatform().daemon().start(task);
    private static final Executor VIRTUAL = Thread::startVirtualThread;

    private final Turn turn = new Turn();

    private void use(int times) {
        for (int i = 0; i < times; i++) {
            turn.take("a port");
            turn.giveBack();
        }
    }

    private boolean freeForAnother() throws ExecutionException, InterruptedException {
        return elsewhere(() -> {
            boolean free = turn.tryTake();
            if (free) {
                turn.giveBack();
            }
            return free;
        });
    }

    private static boolean elsewhere(java.util.function.Supplier<Boolean> what)
            throws ExecutionException, InterruptedException {
        return CompletableFuture.supplyAsync(what, PLATFORM).get();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Turn.HABIT - 1, Turn.HABIT, 10 * Turn.HABIT})
    void has_one_holder_however_often_he_has_had_it(int times) throws Exception {
        use(times);
        turn.take("a port");
        assertThat(freeForAnother()).isFalse();
        assertThat(turn.tryTake()).isFalse();
        assertThatThrownBy(() -> turn.take("a port")).hasMessageContaining("a port in hand");
        assertThat(turn.take(Duration.ofDays(1))).as("would wait for itself").isFalse();
        turn.giveBack();
        assertThat(freeForAnother()).isTrue();
        use(10 * Turn.HABIT);
        turn.take("a port");
        assertThat(freeForAnother()).isFalse();
        turn.giveBack();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Turn.HABIT})
    void may_be_given_back_by_another_thread(int times) throws Exception {
        use(times);
        turn.take("a port");
        elsewhere(() -> {
            turn.giveBack();
            return true;
        });
        assertThat(turn.tryTake()).isTrue();
        assertThat(freeForAnother()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Turn.HABIT})
    void is_waited_for(int times) throws Exception {
        use(times);
        turn.take("a port");
        var other = CompletableFuture.supplyAsync(() -> turn.take(Duration.ofDays(1)), PLATFORM);
        assertThat(elsewhere(() -> turn.take("a port", System.nanoTime()))).isFalse();
        turn.giveBack();
        assertThat(other.get()).isTrue();
        assertThat(turn.tryTake()).isFalse();
    }

    /// Whoever has it to himself loses it at any moment.
    @Test
    void has_one_holder_while_it_is_taken_away() {
        for (int round = 0; round < 1_000; round++) {
            var each = new Exclusion();
            var owner = CompletableFuture.runAsync(() -> each.use(2_000), pick());
            var second = CompletableFuture.runAsync(() -> each.useLater(100), pick());
            var third = CompletableFuture.runAsync(() -> each.useLater(3), pick());
            CompletableFuture.allOf(owner, second, third).join();
            assertThat(each.sum).isEqualTo(2_103);
        }
    }

    private static Executor pick() {
        return ThreadLocalRandom.current().nextBoolean() ? PLATFORM : VIRTUAL;
    }

    private static final class Exclusion {
        private final Turn turn = new Turn();
        private final Phaser begin = new Phaser(3);
        private final AtomicInteger used = new AtomicInteger();
        private int sum;

        void use(int times) {
            begin.arriveAndAwaitAdvance();
            add(times);
        }

        void useLater(int times) {
            int when = ThreadLocalRandom.current().nextInt(2_000);
            begin.arriveAndAwaitAdvance();
            while (used.getOpaque() < when) {
                Thread.yield();
            }
            add(times);
        }

        private void add(int times) {
            for (int i = 0; i < times; i++) {
                turn.take("a port");
                sum++;
                used.setOpaque(sum);
                turn.giveBack();
            }
        }
    }
}
