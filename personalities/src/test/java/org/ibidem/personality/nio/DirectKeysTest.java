package org.ibidem.personality.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.util.ArrayDeque;
import java.util.List;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which keys a selector sleeps for by itself, and which are looked at after a moment.
@Timeout(20)
class DirectKeysTest {
    private final IbidemSelectorProvider provider = new IbidemSelectorProvider(() -> null);
    private final Selector jdk = provider.jdk().openSelector();
    private final MixedSelector selector = new MixedSelector(provider, jdk);
    private final DirectKeys keys = new DirectKeys(jdk);

    DirectKeysTest() throws IOException {}

    /// Answers as it is told; what it is asked beyond that fails.
    private final class Channel extends AbstractSelectableChannel
            implements Mixed, DirectWait.Source {
        private final ArrayDeque<Armed> answers = new ArrayDeque<>();
        private boolean busy;
        private int disarmed;

        Channel(Armed... answers) {
            super(provider);
            this.answers.addAll(List.of(answers));
        }

        @Override
        public @Nullable Armed arm(DirectWait by) {
            return busy ? null : answers.pop();
        }

        @Override
        public void disarm(DirectWait by) {
            disarmed++;
        }

        @Override
        public void detach(DirectWait by) {}

        @Override
        public @Nullable DirectWait waitsReadable(Selector by, Runnable wakeup) {
            return new DirectWait(this, by, wakeup);
        }

        @Override
        public @Nullable SelectableChannel part() {
            return null;
        }

        @Override
        public int ready(int operations) {
            return 0;
        }

        @Override
        public void watch(int operations, Runnable bell) {}

        @Override
        public void unwatch(Runnable bell) {}

        @Override
        public void known(MixedKey key, boolean yes) {}

        @Override
        protected void implCloseSelectableChannel() {}

        @Override
        protected void implConfigureBlocking(boolean block) {}

        @Override
        public int validOps() {
            return SelectionKey.OP_READ;
        }

        private MixedKey key() {
            return new MixedKey(this, selector);
        }
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        jdk.close();
    }

    private List<MixedKey> sleeps(long millis) throws IOException {
        return keys.sleep(_ -> {}, millis);
    }

    /// A selection may end a little before the moment is over, which does not count.
    private List<MixedKey> afterAMoment() throws IOException {
        var open = sleeps(0);
        while (open.isEmpty()) {
            open = sleeps(0);
        }
        return open;
    }

    @Test
    void only_those_that_sleep_are_waited_for() {
        assertThat(keys.areWaiting()).isFalse();
        assertThat(keys.arm(new Channel(Armed.READY).key())).isEqualTo(Armed.READY);
        assertThat(keys.areWaiting()).isFalse();
        var busy = new Channel();
        busy.busy = true;
        assertThat(keys.arm(busy.key())).isNull();
        assertThat(keys.areWaiting()).isFalse();
        var one = new Channel(Armed.SLEEP).key();
        var two = new Channel(Armed.SLEEP_THEN_LOOK).key();
        assertThat(keys.arm(one)).isEqualTo(Armed.SLEEP);
        assertThat(keys.arm(two)).isEqualTo(Armed.SLEEP_THEN_LOOK);
        keys.disarm(one);
        assertThat(keys.areWaiting()).isTrue();
        keys.disarm(one);
        assertThat(keys.areWaiting()).as("it was disarmed already").isTrue();
        keys.disarm(two);
        assertThat(keys.areWaiting()).isFalse();
    }

    @Test
    void a_channel_hears_that_it_is_not_waited_for_any_longer() {
        var channel = new Channel(Armed.SLEEP);
        var key = channel.key();
        keys.disarm(key);
        assertThat(channel.disarmed).isZero();
        keys.arm(key);
        keys.disarm(key);
        assertThat(channel.disarmed).isEqualTo(1);
    }

    @Test
    void where_all_are_sure_it_sleeps_once() throws IOException {
        keys.arm(new Channel(Armed.SLEEP).key());
        jdk.wakeup();
        assertThat(sleeps(0)).isEmpty();
        assertThat(sleeps(1)).isEmpty();
        assertThat(keys.areWaiting()).isTrue();
    }

    @Test
    void one_that_is_not_sure_is_asked_again_after_a_moment() throws IOException {
        var still = new Channel(Armed.SLEEP_THEN_LOOK, Armed.SLEEP);
        var ready = new Channel(Armed.SLEEP_THEN_LOOK, Armed.READY).key();
        keys.arm(still.key());
        keys.arm(ready);
        assertThat(afterAMoment()).containsExactly(ready);
        assertThat(keys.areWaiting()).isTrue();
        keys.disarm(ready);
        assertThat(keys.areWaiting()).as("the other one is").isTrue();
        assertThat(still.answers).isEmpty();
        assertThat(sleeps(1)).as("it is sure now").isEmpty();
    }

    @Test
    void one_that_was_taken_back_meanwhile_is_looked_at() throws IOException {
        var taken = new Channel(Armed.SLEEP_THEN_LOOK);
        var key = taken.key();
        keys.arm(key);
        taken.busy = true;
        assertThat(afterAMoment()).containsExactly(key);
        assertThat(keys.areWaiting()).isFalse();
    }

    /// Woken before, it has not slept for the moment that it takes.
    @Test
    void one_that_is_not_sure_stays_so_until_the_moment_has_passed() throws IOException {
        var key = new Channel(Armed.SLEEP_THEN_LOOK, Armed.READY).key();
        keys.arm(key);
        List<MixedKey> open = List.of();
        for (int i = 0; i < 1_000 && open.isEmpty(); i++) {
            jdk.wakeup();
            open = sleeps(0); // a machine that stands still makes it a moment, too
        }
        assertThat(open.isEmpty() ? afterAMoment() : open).containsExactly(key);
    }

    @Test
    void one_that_is_disarmed_is_not_asked_again() throws IOException {
        var key = new Channel(Armed.SLEEP_THEN_LOOK).key();
        keys.arm(key);
        keys.disarm(key);
        assertThat(sleeps(1)).isEmpty();
    }
}
