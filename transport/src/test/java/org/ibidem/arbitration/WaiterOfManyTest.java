package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.Background;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many that stay armed: a wake costs what has happened, and nothing is slept through.
@Timeout(20)
class WaiterOfManyTest {
    private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);

    @AfterEach
    void close() {
        waiter.close();
    }

    /// Counts what is done with it.
    private static class Input implements Waitable {
        private final @Nullable SelectableChannel channel;
        private Doorbell bell = () -> {};
        Armed says = Armed.SLEEP;
        int interest = SelectionKey.OP_READ;
        int armed;
        int disarmed;
        int looks;
        boolean finds;

        Input(@Nullable SelectableChannel channel) {
            this.channel = channel;
        }

        @Override
        public Armed arm() {
            armed++;
            return says;
        }

        @Override
        public void disarm() {
            disarmed++;
        }

        @Override
        public SleepTraits traits() {
            return new SleepTraits(channel != null, false, true);
        }

        @Override
        public @Nullable SelectableChannel channel() {
            return channel;
        }

        @Override
        public int interest() {
            return interest;
        }

        @Override
        public void bell(Doorbell ringing) {
            bell = ringing;
        }

        boolean look() {
            looks++;
            return finds;
        }
    }

    private Input kept(@Nullable SelectableChannel channel) {
        var input = new Input(channel);
        waiter.keep(input, input::look);
        return input;
    }

    private List<Input> settled(int count) {
        var all = new ArrayList<Input>();
        for (int i = 0; i < count; i++) {
            all.add(kept(null));
        }
        settle();
        return all;
    }

    /// What was added is looked at and armed.
    private void settle() {
        for (int i = 0; i < 2; i++) {
            waiter.ring();
            waiter.idle(Long.MAX_VALUE);
            waiter.looks();
        }
        waiter.ring();
        waiter.idle(Long.MAX_VALUE);
    }

    @Test
    void a_wake_touches_only_those_that_have_something_to_say() {
        var all = settled(1000);
        assertThat(all).allMatch(one -> one.armed == 1);
        var one = all.get(7);
        int looksBefore = one.looks;
        one.finds = true;
        for (int i = 0; i < 3; i++) {
            one.bell.ring();
            assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
            assertThat(waiter.looks()).isTrue();
            assertThat(waiter.looks()).as("once").isFalse();
        }
        assertThat(one.looks).isEqualTo(looksBefore + 3);
        assertThat(one.armed).isEqualTo(3);
        all.remove(one);
        assertThat(all).allMatch(other -> other.armed == 1 && other.looks == 1);
        assertThat(waiter.kept()).isEqualTo(1000);
    }

    @Test
    void who_rings_while_it_sleeps_wakes_it_and_is_looked_at() {
        var all = settled(3);
        var over = Background.call(() -> waiter.idle(Long.MAX_VALUE));
        all.get(1).bell.ring();
        assertThat(over.join()).isTrue();
        waiter.looks();
        assertThat(all).extracting(one -> one.looks).containsExactly(1, 2, 1);
    }

    @Test
    void a_channel_that_is_ready_is_told_to_its_own_and_a_change_of_interest_to_the_selector()
            throws IOException {
        var pipes = List.of(Pipe.open(), Pipe.open());
        var all = new ArrayList<Input>();
        for (var pipe : pipes) {
            pipe.source().configureBlocking(false);
            all.add(kept(pipe.source()));
        }
        all.get(1).interest = 0;
        settle();
        for (var pipe : pipes) {
            pipe.sink().write(ByteBuffer.allocate(1));
        }
        assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
        waiter.looks();
        assertThat(all).extracting(one -> one.looks).containsExactly(2, 1);
        pipes.get(0).source().read(ByteBuffer.allocate(1));
        all.get(1).interest = SelectionKey.OP_READ;
        all.get(1).bell.ring();
        while (all.get(1).looks < 3) { // of the ring, and of the channel
            assertThat(waiter.idle(waiter.deadline(Duration.ofSeconds(10)))).isTrue();
            waiter.looks();
        }
        assertThat(all.get(0).looks).isEqualTo(2);
        for (var pipe : pipes) {
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void one_that_has_something_when_it_is_armed_keeps_it_awake_and_is_looked_at_again() {
        var all = settled(2);
        var one = all.getFirst();
        one.says = Armed.READY;
        one.bell.ring();
        waiter.looks();
        int looks = one.looks;
        for (int i = 0; i < 3; i++) {
            assertThat(waiter.idle(Long.MAX_VALUE)).isTrue();
            waiter.looks();
        }
        assertThat(one.looks).isEqualTo(looks + 3);
        assertThat(all.getLast().armed).isEqualTo(1);
    }

    /// The other side may miss a sleep by a moment.
    @Test
    void one_that_is_not_sure_is_armed_twice_before_a_long_sleep_and_then_stays() {
        var one = kept(null);
        one.says = Armed.SLEEP_THEN_LOOK;
        settle();
        int before = one.armed;
        waiter.looks();
        waiter.idle(waiter.deadline(Duration.ofMillis(20)));
        assertThat(one.armed).isEqualTo(before + 2);
        assertThat(waiter.looks()).isFalse();
        int armed = one.armed;
        waiter.ring();
        waiter.idle(Long.MAX_VALUE);
        assertThat(one.armed).as("it stays").isEqualTo(armed);
    }

    @Test
    void one_whose_second_look_did_not_come_begins_anew() {
        var one = kept(null);
        one.says = Armed.SLEEP_THEN_LOOK;
        for (int i = 0; i < 3; i++) {
            waiter.looks();
            waiter.ring(); // there is no moment
            waiter.idle(Long.MAX_VALUE);
        }
        assertThat(one.armed).isEqualTo(3);
        assertThat(one.looks).isEqualTo(3);
    }

    @Test
    void what_was_removed_is_disarmed_and_left_alone() {
        var all = settled(2);
        var one = all.getFirst();
        one.bell.ring();
        int disarmed = one.disarmed;
        waiter.remove(one);
        assertThat(one.disarmed).isEqualTo(disarmed + 1);
        int looks = one.looks;
        settle();
        assertThat(one.looks).isEqualTo(looks);
        assertThat(one.armed).isEqualTo(1);
        assertThat(waiter.kept()).isEqualTo(1);
    }

    @Test
    void who_does_not_stay_armed_is_refused() {
        var input =
                new Input(null) {
                    @Override
                    public SleepTraits traits() {
                        return SleepTraits.NONE;
                    }
                };
        assertThatThrownBy(() -> waiter.keep(input, input::look))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("stay armed");
    }
}
