package org.ibidem.arbitration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.SelectableChannel;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;

class SpinOnlyTest {
    /// Counts how often somebody wants to sleep on it, and lets nobody.
    private static final class Restless implements Waitable {
        private int armed;

        @Override
        public Armed arm() {
            armed++;
            return Armed.READY;
        }

        @Override
        public void disarm() {}

        @Override
        public SelectableChannel channel() {
            return null;
        }

        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void bell(Doorbell bell) {}
    }

    @Test
    void who_is_told_only_to_spin_never_sleeps_whatever_it_has_learnt() {
        var input = new Restless();
        try (var waiter = new Waiter(WaitPolicy.SPIN_ONLY)) {
            waiter.add(input);
            for (int wait = 0; wait < 4; wait++) {
                waiter.begin(Long.MAX_VALUE);
                for (int i = 0; i < 100; i++) {
                    waiter.idle(Long.MAX_VALUE);
                }
                waiter.found();
            }
        }
        assertThat(input.armed).isZero();
    }

    @Test
    void who_spins_can_be_interrupted() {
        try (var waiter = new Waiter(WaitPolicy.SPIN_ONLY)) {
            waiter.begin(Long.MAX_VALUE);
            Thread.currentThread().interrupt();
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    waiter.idle(Long.MAX_VALUE);
                                }
                            })
                    .isInstanceOf(WaitInterrupted.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
