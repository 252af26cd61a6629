package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.ibidem.Background;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// What a thread that sleeps by itself asks, and what ends its sleep.
@Isolated("takes all places that there are")
@Timeout(20)
class OwnSleepTest {
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Pipe pipe = Pipe.open();
    private final Source source = new Source();
    private final OwnSleep sleep = OwnSleep.open(source);

    OwnSleepTest() throws IOException {
        pipe.source().configureBlocking(false);
    }

    /// Answers as it is told, and has the pipe waited for.
    private final class Source implements DirectWait.Source {
        private final ArrayDeque<Armed> answers = new ArrayDeque<>();
        private final List<String> calls = new CopyOnWriteArrayList<>();
        private final CompletableFuture<DirectWait> armed = new CompletableFuture<>();
        private boolean busy;
        private boolean registers = true;

        @Override
        public Armed arm(DirectWait by) {
            calls.add("arm");
            assertThat(by.registers(pipe.source(), SelectionKey.OP_READ)).isEqualTo(registers);
            armed.complete(by);
            return busy ? null : answers.pop();
        }

        @Override
        public void disarm(DirectWait by) {
            calls.add(by.wasSelected() ? "disarm, selected" : "disarm");
        }

        @Override
        public void detach(DirectWait by) {}
    }

    @AfterEach
    void close() throws IOException {
        sleep.close();
        pipe.source().close();
        pipe.sink().close();
    }

    private void write() throws IOException {
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    private boolean sleeps(long nanos, Armed... answers) {
        source.answers.addAll(List.of(answers));
        return sleep.sleep(nanos);
    }

    @Test
    void where_there_is_something_it_does_not_sleep() {
        assertThat(sleeps(LONG, Armed.READY)).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm");
    }

    @Test
    void where_another_waits_it_cannot() {
        source.busy = true;
        assertThat(sleep.sleep(LONG)).isFalse();
        assertThat(source.calls).containsExactly("arm");
    }

    @Test
    void what_comes_ends_it_and_is_told() throws IOException {
        write();
        assertThat(sleeps(LONG, Armed.SLEEP)).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm, selected");
    }

    @Test
    void a_wake_up_ends_it() throws Exception {
        var over = Background.call(() -> sleeps(LONG, Armed.SLEEP));
        source.armed.join().wakeup().run();
        assertThat(over.get()).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm");
    }

    @Test
    void its_time_ends_it() {
        assertThat(sleeps(3 * MILLI, Armed.SLEEP)).isTrue();
        assertThat(sleeps(0, Armed.SLEEP)).isTrue();
        assertThat(sleeps(1, Armed.SLEEP_THEN_LOOK)).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm", "arm", "disarm", "arm", "disarm");
    }

    @Test
    void one_that_may_have_been_missed_is_armed_again() throws IOException {
        assertThat(sleeps(LONG, Armed.SLEEP_THEN_LOOK, Armed.READY)).isTrue();
        assertThat(source.calls).containsExactly("arm", "arm", "disarm");
    }

    @Test
    void then_it_sleeps_for_long() throws Exception {
        var over =
                Background.call(() -> sleeps(LONG, Armed.SLEEP_THEN_LOOK, Armed.SLEEP_THEN_LOOK));
        eventually("it has asked twice", () -> source.calls.size() == 2);
        write();
        assertThat(over.get()).isTrue();
        assertThat(source.calls).containsExactly("arm", "arm", "disarm, selected");
    }

    @Test
    void what_comes_in_the_first_moment_is_not_asked_for_again() throws IOException {
        write();
        assertThat(sleeps(LONG, Armed.SLEEP_THEN_LOOK)).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm, selected");
    }

    @Test
    void an_interrupt_ends_it_and_stays() {
        for (var first : List.of(Armed.SLEEP, Armed.SLEEP_THEN_LOOK)) {
            Thread.currentThread().interrupt();
            assertThat(sleeps(LONG, first)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(source.calls).containsExactly("arm", "disarm", "arm", "disarm");
    }

    @Test
    void a_close_ends_it() throws Exception {
        var mine = OwnSleep.open(source);
        source.answers.add(Armed.SLEEP);
        var over = Background.call(() -> mine.sleep(LONG));
        source.armed.join();
        mine.close();
        assertThat(over.get()).isTrue();
        assertThat(source.calls).containsExactly("arm", "disarm");
    }

    /// A look says that it is over.
    @Test
    void one_that_is_closed_does_not_sleep() {
        var mine = OwnSleep.open(source);
        mine.close();
        source.registers = false;
        source.answers.add(Armed.SLEEP);
        assertThat(mine.sleep(LONG)).isTrue();
    }

    @Test
    void there_are_so_many_and_closing_gives_a_place_back() {
        var all = new ArrayList<OwnSleep>();
        for (var next = OwnSleep.open(source); next != null; next = OwnSleep.open(source)) {
            all.add(next);
        }
        assertThat(all).hasSizeBetween(100, 127);
        all.getLast().close();
        all.set(all.size() - 1, OwnSleep.open(source));
        assertThat(all).doesNotContainNull();
        assertThat(OwnSleep.open(source)).isNull();
        all.forEach(OwnSleep::close);
    }
}
