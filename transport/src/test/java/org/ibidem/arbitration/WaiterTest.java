package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WaiterTest {
    private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);
    private final Pipe pipe = Pipe.open();

    WaiterTest() throws IOException {
        pipe.source().configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        waiter.close();
        pipe.source().close();
        pipe.sink().close();
    }

    /// Counts how often it is armed and disarmed.
    private static class Input implements Waitable {
        final AtomicInteger armed = new AtomicInteger();
        final AtomicInteger disarmed = new AtomicInteger();
        final Semaphore armings = new Semaphore(0);
        private final SelectableChannel channel;

        Input(SelectableChannel channel) {
            this.channel = channel;
        }

        @Override
        public Armed arm() {
            armed.incrementAndGet();
            armings.release();
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {
            disarmed.incrementAndGet();
        }

        @Override
        public SelectableChannel channel() {
            return channel;
        }

        @Override
        public int interest() {
            return SelectionKey.OP_READ;
        }

        @Override
        public void bell(Doorbell bell) {}
    }

    private CompletableFuture<Boolean> asleep(Input input) {
        int before = input.armed.get();
        var over = new CompletableFuture<Boolean>();
        Thread.ofPlatform().daemon().start(() -> over.complete(waiter.idle(Long.MAX_VALUE)));
        eventually("it sleeps", () -> input.armed.get() > before);
        return over;
    }

    private void ready() throws IOException {
        pipe.sink().write(ByteBuffer.allocate(1));
    }

    @Test
    void a_ring_before_the_sleep_is_not_lost() {
        waiter.ring();
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void a_ring_wakes_it() {
        var input = new Input(null);
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE); // the ring of add
        var sleep = asleep(input);
        assertThat(sleep).isNotDone();
        waiter.ring();
        assertThat(sleep.join()).isTrue();
        assertThat(input.disarmed).hasValue(2);
    }

    @Test
    void a_channel_that_is_ready_wakes_it() throws IOException {
        var input = new Input(pipe.source());
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE);
        var sleep = asleep(input);
        ready();
        assertThat(sleep.join()).isTrue();
    }

    /// As a VLink whose reader has just read the rest of a frame.
    @Test
    void what_is_wanted_only_since_the_selector_was_told_is_heard() throws IOException {
        var input =
                new Input(pipe.source()) {
                    @Override
                    public int interest() {
                        return armed.get() < 2 ? 0 : super.interest();
                    }
                };
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE); // the ring of add
        ready();
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
        assertThat(input.armed).as("it looks again instead of sleeping").hasValue(2);
        var channel = asleep(input);
        assertThat(channel.join()).as("told by the selector").isTrue();
    }

    @Test
    void an_input_that_has_something_already_keeps_it_awake() {
        waiter.add(
                new Input(null) {
                    @Override
                    public Armed arm() {
                        return Armed.READY;
                    }
                });
        waiter.idle(Long.MAX_VALUE);
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
    }

    /// The selector still has the key that was cancelled when the channel was removed.
    @Test
    void a_channel_removed_and_added_again_is_heard() throws IOException {
        var input = new Input(pipe.source());
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE);
        ready();
        waiter.idle(Long.MAX_VALUE);
        waiter.remove(input);
        waiter.add(input);
        assertThat(waiter.idle(Long.MAX_VALUE)).as("rung by remove and add").isTrue();
        var over = Background.call(() -> waiter.idle(Long.MAX_VALUE));
        assertThat(over.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
    }

    /// Its thread would sleep again before the selector has forgotten the key, were it not told.
    @Test
    void who_removes_does_not_wait_for_a_waiter_that_goes_on_sleeping() {
        var over = new AtomicBoolean();
        var sleeper =
                Background.run(() -> {
                    while (!over.get()) {
                        waiter.idle(Long.MAX_VALUE);
                    }
                });
        for (int i = 0; i < 3_000; i++) {
            var input = new Input(pipe.source());
            waiter.add(input);
            input.armings.acquireUninterruptibly(); // it is waited for
            waiter.remove(input);
        }
        over.set(true);
        waiter.ring();
        sleeper.join();
    }

    /// A core that another keeps ends it after the first time.
    @Test
    void a_waiter_that_gives_its_core_away_polls_on_before_it_sleeps() {
        int most = 0;
        for (int round = 0; round < 20 && most < 1_000; round++) {
            try (var yielding = new Waiter(new WaitPolicy(1, 1, 128, 50_000_000))) {
                var input = new Input(null);
                yielding.add(input);
                yielding.begin(Long.MAX_VALUE);
                int polls = 0;
                while (input.armed.get() == 0
                        && yielding.idle(System.nanoTime() + 1_000_000_000L)) {
                    polls++;
                    yielding.ring(); // or it would sleep in the end
                }
                most = Math.max(most, polls);
            }
        }
        assertThat(most).as("more polls than the 32 of a spin").isGreaterThan(32);
    }

    @Test
    void what_was_removed_is_left_alone() {
        var input = new Input(null);
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE);
        waiter.remove(input);
        waiter.idle(Long.MAX_VALUE);
        assertThat(input.armed).hasValue(1);
    }

    @Test
    void a_deadline_ends_the_sleep() {
        long deadline;
        do {
            deadline = waiter.deadline(Duration.ofMillis(3));
        } while (!waiter.idle(deadline)); // it had passed before it began
        assertThat(System.nanoTime() - deadline).isNotNegative();
        assertThat(waiter.idle(deadline)).isFalse();
        assertThat(waiter.deadline(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void an_interrupt_ends_the_wait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> waiter.idle(Long.MAX_VALUE)).isInstanceOf(WaitInterrupted.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    /// A look costs less than to tell the other side of a sleep and to take that back, each time.
    @Test
    void one_that_sleeps_looks_first() throws IOException {
        var input = new Input(pipe.source());
        waiter.add(input);
        ready();
        waiter.begin(Long.MAX_VALUE);
        assertThat(input.armed).hasValue(0);
        waiter.idle(Long.MAX_VALUE);
        assertThat(input.armed).hasValue(1);
    }

    @Test
    void but_not_where_a_look_is_a_system_call() throws IOException {
        var socket =
                new Input(pipe.source()) {
                    @Override
                    public SleepTraits traits() {
                        return new SleepTraits(true, false);
                    }
                };
        waiter.add(socket);
        ready();
        waiter.begin(Long.MAX_VALUE);
        assertThat(socket.armed).hasValue(1);
        waiter.add(new Input(null)); // of several, only those that are ready are looked at
        waiter.begin(Long.MAX_VALUE);
        assertThat(socket.armed).hasValue(1);
    }

    @Test
    void who_owns_a_core_never_sleeps() {
        var spinner = new Waiter(WaitPolicy.SPIN_ONLY);
        var input = new Input(null);
        spinner.add(input);
        for (int wait = 0; wait < 100; wait++) {
            spinner.begin(Long.MAX_VALUE);
            for (int i = 0; i < 50; i++) {
                assertThat(spinner.idle(Long.MAX_VALUE)).isTrue();
            }
            spinner.found();
        }
        assertThat(input.armed).hasValue(0);
        spinner.close();
    }

    @Test
    void only_who_spins_for_one_cheap_thing_looks_more_than_once_in_a_poll() {
        var spinner = new Waiter(WaitPolicy.SPIN_ONLY);
        var ring = new Cheap();
        spinner.add(ring);
        assertThat(spinner.more()).isPositive();
        spinner.add(new Cheap());
        assertThat(spinner.more()).isZero();
        spinner.remove(ring);
        assertThat(spinner.more()).isPositive();
        spinner.choose(WaitPolicy.SLEEP);
        spinner.begin(Long.MAX_VALUE);
        while (spinner.more() > 0) { // until it follows
            spinner.ring(); // the step that follows does not sleep
            spinner.idle(Long.MAX_VALUE);
        }
        spinner.close();
        var other = new Waiter(WaitPolicy.SPIN_ONLY);
        other.add(new Input(null));
        assertThat(other.more()).isZero();
        other.close();
    }

    /// As the two directions of a circuit's link: a ring beside a ring, a socket beside a socket.
    @Test
    void what_is_waited_for_beside_does_not_change_how_the_rest_is_polled() {
        var spinner = new Waiter(WaitPolicy.SPIN_ONLY);
        spinner.addBeside(new Socket(pipe.source()));
        spinner.addBeside(new Cheap());
        assertThat(spinner.look()).as("nothing is polled").isFalse();
        var ring = new Cheap();
        spinner.add(ring);
        assertThat(spinner.more()).as("one ring").isPositive();
        assertThat(spinner.look()).as("no socket").isFalse();
        spinner.remove(ring);
        var socket = new Socket(pipe.source());
        spinner.add(socket);
        assertThat(spinner.look()).as("the only socket is asked itself").isFalse();
        spinner.add(ring);
        assertThat(spinner.look()).as("a socket of several").isTrue();
        assertThat(spinner.more()).as("several").isZero();
        spinner.close();
    }

    @Test
    void what_is_waited_for_beside_wakes_it() throws IOException {
        var input = new Input(null);
        var output = new Input(pipe.source());
        waiter.add(input);
        waiter.addBeside(output);
        waiter.idle(Long.MAX_VALUE); // the ring of add
        var sleep = asleep(output);
        ready();
        assertThat(sleep.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
        assertThat(input.disarmed).as("both are armed").hasValue(2);
        assertThat(output.disarmed).hasValue(2);
        waiter.remove(output);
        waiter.idle(Long.MAX_VALUE);
        assertThat(output.armed).as("it is removed as the others are").hasValue(2);
    }

    @Test
    void one_that_adapts_sleeps_in_the_end_however_often_each_poll_looked() {
        var adaptive = new Waiter(WaitPolicy.ADAPTIVE);
        var input = new Cheap();
        adaptive.add(input);
        adaptive.begin(Long.MAX_VALUE);
        for (int poll = 0; input.disarmed.get() == 0; poll++) {
            if (poll % 7 < 3) { // one that looks once follows one that looked more often
                adaptive.more();
            }
            assertThat(adaptive.idle(Long.MAX_VALUE)).isTrue();
        }
        adaptive.found();
        assertThat(input.armed).hasValue(1);
        adaptive.close();
    }

    @Test
    void one_that_adapts_sleeps_when_spinning_brought_nothing() {
        var adaptive = new Waiter(WaitPolicy.ADAPTIVE);
        var input = new Input(null);
        adaptive.add(input);
        adaptive.begin(Long.MAX_VALUE);
        while (input.disarmed.get() == 0) {
            assertThat(adaptive.idle(Long.MAX_VALUE)).isTrue();
        }
        adaptive.found();
        assertThat(input.armed).hasValue(1);
        adaptive.close();
    }

    /// Like a ring: may be looked at as often as one likes.
    private static final class Cheap extends Input {
        Cheap() {
            super(null);
        }

        @Override
        public SleepTraits traits() {
            return new SleepTraits(false, true);
        }
    }

    /// Like a socket: says when it has something, and is looked at only then.
    private static final class Socket extends Input {
        final AtomicInteger looks = new AtomicInteger();

        Socket(SelectableChannel channel) {
            super(channel);
        }

        @Override
        public SleepTraits traits() {
            return new SleepTraits(true, false);
        }

        @Override
        public void ready() {
            looks.incrementAndGet();
        }
    }

    /// A port that always finds a message on a fast network never waits, and looks all the same.
    @Test
    void a_flood_on_a_fast_network_does_not_keep_it_from_looking_at_sockets() throws IOException {
        for (var policy : List.of(WaitPolicy.SPIN_ONLY, WaitPolicy.ADAPTIVE, WaitPolicy.SLEEP)) {
            try (var mixed = new Waiter(policy.looking(10))) {
                var socket = new Socket(pipe.source());
                mixed.add(
                        new Input(null) {
                            @Override
                            public Armed arm() {
                                return Armed.READY; // it always has something
                            }
                        });
                mixed.add(socket);
                ready();
                for (int i = 0; i < 10; i++) {
                    mixed.begin(Long.MAX_VALUE);
                    mixed.found();
                }
                assertThat(socket.looks).as("%s", policy).hasPositiveValue();
                mixed.remove(socket);
            }
        }
    }

    /// One whose other side may miss that it sleeps.
    private static final class Late extends Input {
        private final Armed again;
        int looks;

        Late(Armed again) {
            super(null);
            this.again = again;
        }

        @Override
        public Armed arm() {
            super.arm();
            if (armed.get() - looks - disarmed.get() == 1) {
                return Armed.SLEEP_THEN_LOOK;
            }
            looks++;
            return again;
        }
    }

    /// What another processor stored a moment ago may not be seen yet: it looks again.
    @Test
    void it_arms_again_after_a_moment_where_that_is_needed_and_only_then_sleeps_for_long() {
        for (var again : List.of(Armed.READY, Armed.SLEEP)) {
            var late = new Late(again);
            var other = new Input(null);
            try (var sleeps = new Waiter(WaitPolicy.SLEEP)) {
                sleeps.add(late);
                sleeps.add(other);
                long deadline = sleeps.deadline(Duration.ofMillis(30));
                sleeps.begin(deadline);
                while (late.looks == 0) { // at first it is rung, as something was added
                    assertThat(sleeps.idle(deadline)).isTrue();
                }
                assertThat(late.looks).isEqualTo(1);
                assertThat(other.armed).as("it was sure").hasValue(other.disarmed.get());
                assertThat(late.disarmed).hasValue(late.armed.get() - 1);
            }
        }
    }

    @Test
    void what_is_there_a_moment_later_ends_the_sleep_at_once() {
        var late = new Late(Armed.READY);
        try (var sleeps = new Waiter(WaitPolicy.SLEEP)) {
            sleeps.add(late);
            sleeps.begin(Long.MAX_VALUE);
            while (late.looks == 0) {
                sleeps.idle(Long.MAX_VALUE); // without an end, had it not looked
            }
            assertThat(late.disarmed).hasValue(late.armed.get() - 1);
        }
    }
}
