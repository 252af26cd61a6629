package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;
import org.ibidem.wait.WaitableOverAll;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One part that stands over several channels: whoever waits for it waits for each.
@Timeout(20)
class WaiterOfSeveralTest {
    private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);
    private final List<Lower> lowers = List.of(new Lower(), new Lower(), new Lower());
    private final Above input = new Above(new All(lowers));

    WaiterOfSeveralTest() throws IOException {
        waiter.add(input);
        waiter.idle(Long.MAX_VALUE); // the ring of add
    }

    @AfterEach
    void close() throws IOException {
        waiter.close();
        for (var lower : lowers) {
            lower.pipe.source().close();
            lower.pipe.sink().close();
        }
    }

    /// One of them, over a pipe.
    private static final class Lower implements Waitable {
        final Pipe pipe = Pipe.open();
        final AtomicInteger armed = new AtomicInteger();
        final AtomicInteger ready = new AtomicInteger();
        volatile boolean quiet = true;
        volatile boolean gone;
        @Nullable Doorbell bell;

        Lower() throws IOException {
            pipe.source().configureBlocking(false);
        }

        void arrive() throws IOException {
            pipe.sink().write(ByteBuffer.allocate(1));
        }

        void read() throws IOException {
            pipe.source().read(ByteBuffer.allocate(9));
        }

        @Override
        public Armed arm() {
            armed.incrementAndGet();
            return Armed.quiet(quiet);
        }

        @Override
        public void disarm() {
            armed.decrementAndGet();
        }

        @Override
        public SelectableChannel channel() {
            return pipe.source();
        }

        @Override
        public int interest() {
            return gone ? 0 : SelectionKey.OP_READ;
        }

        @Override
        public void ready() {
            ready.incrementAndGet();
        }

        @Override
        public void bell(Doorbell doorbell) {
            bell = doorbell;
        }
    }

    private record All(List<Lower> all) implements WaitableOverAll {}

    /// A filter or port above, which may take no part in a wait.
    private static final class Above implements WaitableOver {
        private final Waitable below;
        volatile boolean muted;

        Above(Waitable below) {
            this.below = below;
        }

        @Override
        public Waitable below() {
            return below;
        }

        @Override
        public int interest() {
            return muted ? 0 : below.interest();
        }
    }

    private CompletableFuture<Boolean> asleep() {
        var over = new CompletableFuture<Boolean>();
        Thread.ofPlatform().daemon().start(() -> over.complete(waiter.idle(Long.MAX_VALUE)));
        eventually("all are armed", () -> lowers.stream().allMatch(one -> one.armed.get() == 1));
        return over;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void each_of_its_channels_wakes_it(int which) throws IOException {
        for (int i = 0; i < 2; i++) {
            var sleep = asleep();
            assertThat(sleep).isNotDone();
            lowers.get(which).arrive();
            assertThat(sleep.join()).isTrue();
            assertThat(lowers.get(which).ready).hasValue(i + 1);
            assertThat(lowers).allMatch(one -> one.armed.get() == 0);
            lowers.get(which).read();
        }
    }

    @Test
    void each_of_them_can_ring() {
        for (var lower : lowers) {
            var sleep = asleep();
            lower.bell.ring();
            assertThat(sleep.join()).isTrue();
        }
    }

    @Test
    void where_one_has_something_already_all_are_armed_and_disarmed_and_nobody_sleeps() {
        lowers.get(1).quiet = false;
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
        assertThat(lowers).allMatch(one -> one.armed.get() == 0);
    }

    @Test
    void one_that_is_gone_keeps_nobody_awake_and_the_others_are_heard() throws IOException {
        lowers.get(0).gone = true;
        lowers.get(0).pipe.source().close();
        var sleep = asleep();
        assertThat(sleep).isNotDone();
        lowers.get(2).arrive();
        assertThat(sleep.join()).isTrue();
    }

    @Test
    void while_it_takes_no_part_in_the_wait_none_of_them_does() throws IOException {
        input.muted = true;
        for (var lower : lowers) {
            lower.arrive();
        }
        var sleep = asleep();
        assertThat(sleep).isNotDone();
        waiter.ring();
        assertThat(sleep.join()).isTrue();
        assertThat(lowers).allMatch(one -> one.ready.get() == 0);
        input.muted = false;
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
        assertThat(lowers).allMatch(one -> one.ready.get() > 0);
    }

    @Test
    void when_it_is_removed_no_channel_is_waited_for_any_more() throws IOException {
        lowers.get(0).arrive();
        waiter.idle(Long.MAX_VALUE);
        assertThat(lowers).allMatch(one -> one.pipe.source().isRegistered());
        waiter.remove(input);
        assertThat(lowers).noneMatch(one -> one.pipe.source().isRegistered());
    }

    /// As the two directions of one link over rings do: a selector has one key for a channel.
    @Test
    void those_who_wait_at_one_channel_do_not_undo_each_other() throws IOException {
        var channel = lowers.getFirst();
        var one = new Above(channel);
        var other = new Above(channel);
        try (var both = new Waiter(WaitPolicy.SLEEP)) {
            both.add(one);
            both.add(other);
            for (int round = 0; round < 4; round++) {
                one.muted = (round & 1) != 0;
                other.muted = (round & 1) == 0;
                wakes(both, channel);
            }
            one.muted = false;
            other.muted = false;
            wakes(both, channel);
            both.remove(one);
            wakes(both, channel);
            both.add(one);
            both.remove(other);
            wakes(both, channel);
        }
    }

    private static void wakes(Waiter waiter, Lower channel) throws IOException {
        channel.arrive();
        int before = channel.ready.get();
        long deadline = waiter.deadline(Duration.ofSeconds(10));
        while (channel.ready.get() == before) { // it may have been rung for something else
            assertThat(waiter.idle(deadline)).isTrue();
        }
        channel.read();
    }
}
