package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
    private static final long LONG = Duration.ofMinutes(5).toNanos();

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
            assertThat(turn.isMine()).isTrue();
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
    @Timeout(30)
    void who_waits_for_some_time_gets_it_as_soon_as_it_is_given_back_or_not_at_all() {
        turn.take("the holder");
        var none = Background.call(() -> turn.take(Duration.ofMillis(20)));
        assertThat(none.join()).isFalse();
        var waiting = new CompletableFuture<Thread>();
        var taken =
                Background.call(() -> {
                    waiting.complete(Thread.currentThread());
                    return turn.take(Duration.ofMinutes(5));
                });
        var thread = waiting.join();
        eventually("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
        turn.giveBack();
        assertThat(taken.join()).isTrue();
    }

    /// Its monitor is held, so that it learns of both at once.
    @Test
    @Timeout(30)
    void who_is_interrupted_as_it_is_handed_over_leaves_it_to_others() {
        var interrupted = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            turn.take("the holder");
            var waiting = new CompletableFuture<Thread>();
            var waiter =
                    Background.run(() -> {
                        waiting.complete(Thread.currentThread());
                        try {
                            turn.take("who waits");
                            turn.giveBack();
                        } catch (WaitInterrupted e) {
                            assertThat(Thread.currentThread().isInterrupted()).isTrue();
                            interrupted.incrementAndGet();
                        }
                    });
            var thread = waiting.join();
            eventually("it waits", () -> thread.getState() == Thread.State.TIMED_WAITING);
            hold(Duration.ofMillis(2)); // who waited so long gets it in hand
            synchronized (turn) {
                thread.interrupt();
                eventually("it waits no more", () -> thread.getState() == Thread.State.BLOCKED);
                turn.giveBack();
            }
            waiter.join();
            assertThat(turn.tryTake()).as("it is free").isTrue();
            turn.giveBack();
        }
        assertThat(interrupted).hasValue(20);
    }

    /// To close, which an interrupt hastens and does not undo.
    @Test
    @Timeout(30)
    void who_is_interrupted_as_it_waits_to_close_stays_interrupted() {
        Background.run(() -> turn.take("the holder")).join();
        Thread.currentThread().interrupt();
        assertThat(turn.take(Duration.ofMinutes(5))).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @Timeout(30)
    void who_has_it_does_not_wait_for_itself_and_who_gave_it_back_has_it_no_more() {
        turn.take("mine");
        assertThat(turn.isMine()).isTrue();
        assertThat(turn.take(Duration.ofMinutes(5))).as("to close").isFalse();
        assertThatThrownBy(() -> turn.takeNow("mine"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this thread has a message of mine in hand");
        turn.giveBack();
        assertThat(turn.isMine()).isFalse();
    }

    @Test
    @Timeout(30)
    void who_waits_until_a_time_waits_no_longer_and_keeps_nobody_from_it() {
        var held = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        var holder =
                Background.run(() -> {
                    turn.take("the holder");
                    held.countDown();
                    free.await();
                    turn.giveBack();
                });
        eventually("it is held", () -> held.getCount() == 0);
        assertThat(turn.take("mine", System.nanoTime() + 3_000_000)).isFalse();
        assertThat(turn.takeNow("mine")).isFalse();
        assertThat(turn.take(Duration.ofMillis(3))).isFalse();
        var patient = Background.call(() -> turn.take("of a friend", System.nanoTime() + LONG));
        free.countDown();
        assertThat(patient.join()).isTrue();
        holder.join();
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
