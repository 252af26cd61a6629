package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NotesTest {
    private static final int MOST = 2;
    private static final int WAITING = 3;

    private final SteppedTasks tasks = new SteppedTasks();
    private final Notes notes = new Notes(tasks, "hear", MOST, WAITING);
    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger heard = new AtomicInteger();

    @AfterEach
    void close() {
        held.countDown();
        tasks.close();
    }

    private void hear() {
        begun.incrementAndGet();
        try {
            held.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        heard.incrementAndGet();
    }

    @Test
    void those_beyond_the_most_wait_for_their_turn_and_none_is_lost() {
        for (int i = 0; i < MOST + WAITING; i++) {
            assertThat(notes.add(this::hear)).isTrue();
        }
        eventually("the first have begun", () -> begun.get() == MOST);
        assertThat(notes.add(this::hear)).isFalse();
        held.countDown();
        eventually("all are heard", () -> heard.get() == MOST + WAITING);
        assertThat(notes.add(this::hear)).isTrue();
        eventually("there is room again", () -> heard.get() == MOST + WAITING + 1);
    }

    @Test
    void one_that_fails_gives_its_place_to_the_next() {
        for (int i = 0; i < MOST; i++) {
            notes.add(() -> {
                hear();
                throw new IllegalStateException("as a test wants it");
            });
        }
        notes.add(this::hear);
        held.countDown();
        eventually("all are heard", () -> heard.get() == MOST + 1);
    }
}
