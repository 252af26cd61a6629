package org.ibidem.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.ibidem.task.Tasks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who runs a call: the thread that reads, if it is short, and nothing waits for it if it is not.
@Timeout(60)
class ReadingTest {
    private static final int LIMIT = 30;

    private final Nodes nodes = new Nodes();
    private final Rmi server = nodes.part();
    private final Rmi client = nodes.part();
    private final AtomicLong now = new AtomicLong();
    private final Queue<BooleanSupplier> looks = new ArrayDeque<>();
    private final AtomicInteger closed = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final Door door = new Door();
    private final Reading reading = new Reading(new ByHand(), late::incrementAndGet);

    /// What is called.
    public interface Gate extends Remote {
        /// Gives the number of the thread that ran it.
        long pass() throws RemoteException, InterruptedException;

        void shut() throws RemoteException;

        void open() throws RemoteException;
    }

    /// Passed at once, unless it is shut.
    private static final class Door implements Gate {
        final AtomicInteger inside = new AtomicInteger();
        private volatile CountDownLatch open = new CountDownLatch(0);

        @Override
        public long pass() throws InterruptedException {
            inside.incrementAndGet();
            open.await();
            inside.decrementAndGet();
            return Thread.currentThread().threadId();
        }

        @Override
        public void shut() {
            open = new CountDownLatch(1);
        }

        @Override
        public void open() {
            open.countDown();
        }
    }

    /// Time passes when the test says so.
    private final class ByHand implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            throw new AssertionError(name);
        }

        @Override
        public Task repeat(Duration pause, String name, BooleanSupplier body) {
            looks.add(body);
            return () -> {};
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            throw new AssertionError(name);
        }

        @Override
        public long nanoTime() {
            return now.get();
        }
    }

    @AfterEach
    void close() {
        nodes.close();
    }

    private Gate gate() throws Exception {
        server.names().bind("gate", server.export(door));
        return client.names().lookup("gate", Gate.class);
    }

    private boolean look() {
        return looks.element().getAsBoolean();
    }

    private void later() {
        now.addAndGet(Reading.TICK.toNanos());
    }

    /// A thread for each would be another one each time.
    @Test
    void what_is_short_is_run_by_the_thread_that_reads() throws Exception {
        var gate = gate();
        var last = new ArrayDeque<Long>();
        withinAMinute(
                "one thread has run the last ten",
                () -> {
                    try {
                        last.addLast(gate.pass());
                    } catch (RemoteException | InterruptedException e) {
                        throw new AssertionError(e);
                    }
                    if (last.size() > 10) {
                        last.removeFirst();
                    }
                    return last.size() == 10 && new HashSet<>(last).size() == 1;
                });
    }

    @Test
    void one_that_was_short_and_lasts_holds_nobody_up() throws Exception {
        var gate = gate();
        for (int i = 0; i < 100; i++) {
            gate.pass();
            gate.shut();
            gate.open();
        }
        gate.shut();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits = threads.submit(gate::pass);
            withinAMinute("it is inside", () -> door.inside.get() == 1);
            gate.open();
            assertThat(waits.get(LIMIT, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void a_message_is_let_go_when_its_call_has_lasted() {
        long mine = reading.begin(closed::incrementAndGet, false);
        assertThat(look()).isTrue();
        assertThat(closed).hasValue(0);
        later();
        assertThat(look()).isTrue();
        assertThat(closed).hasValue(1);
        later();
        look();
        reading.end(mine);
        assertThat(closed).as("once").hasValue(1);
    }

    @Test
    void or_when_it_waits_and_not_when_another_thread_does() throws Exception {
        reading.begin(closed::incrementAndGet, false);
        var other = new Thread(reading::waits);
        other.start();
        other.join();
        assertThat(closed).hasValue(0);
        reading.waits();
        assertThat(closed).hasValue(1);
        reading.waits();
        assertThat(closed).hasValue(1);
    }

    @Test
    void one_that_ends_after_it_was_let_go_ends_only_itself() {
        long first = reading.begin(closed::incrementAndGet, false);
        reading.waits();
        long second = reading.begin(closed::incrementAndGet, false);
        reading.end(first);
        later();
        look();
        assertThat(closed).as("the second's, too").hasValue(2);
        reading.end(second);
    }

    @Test
    void a_reply_may_be_kept_while_the_thread_goes_on_with_the_next_call() {
        long first = reading.begin(closed::incrementAndGet, true);
        assertThat(reading.mayKeep()).isTrue();
        assertThat(reading.end(first)).isTrue();
        long last = reading.begin(closed::incrementAndGet, false);
        assertThat(reading.mayKeep()).isFalse();
        assertThat(reading.end(last)).isFalse();
        long lasts = reading.begin(closed::incrementAndGet, true);
        later();
        look();
        assertThat(late).as("what was kept is sent").hasValue(1);
        assertThat(reading.mayKeep()).isFalse();
        assertThat(reading.end(lasts)).isFalse();
    }

    @Test
    void nobody_looks_where_nothing_is_called_and_again_when_something_is() {
        reading.end(reading.begin(closed::incrementAndGet, false));
        int count = 1;
        while (look()) {
            count++;
        }
        assertThat(count).isBetween(100, 1000);
        looks.clear();
        reading.end(reading.begin(closed::incrementAndGet, false));
        assertThat(looks).hasSize(1);
        later();
        look();
        assertThat(closed).hasValue(0);
    }

    @Test
    void how_long_a_method_takes_is_learned() {
        var length = new Length();
        length.ran(1_000);
        length.ran(1_000);
        assertThat(length.isShort()).isFalse();
        length.ran(1_000);
        assertThat(length.isShort()).isTrue();
        length.ran(1_000_000);
        assertThat(length.isShort()).isFalse();
        for (int i = 0; i < 18; i++) {
            length.ran(1_000);
        }
        assertThat(length.isShort()).isFalse();
        length.ran(1_000);
        assertThat(length.isShort()).isTrue();
    }
}
