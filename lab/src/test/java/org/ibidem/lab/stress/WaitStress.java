package org.ibidem.lab.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.nio.channels.SelectableChannel;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.SleepTraits;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Turns and waiters among threads.
public final class WaitStress {
    private static final long LONG_NANOS = 20_000_000_000L;

    private WaitStress() {}

    /// One holder at a time; who waits gets it in the end (else this never ends).
    @JCStressTest
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "two at a time")
    @State
    public static class Exclusion {
        private final Turn turn = new Turn();
        private int value;

        private void add(int more) {
            turn.take("a turn");
            value += more;
            turn.giveBack();
        }

        /// Adds 1.
        @Actor
        public void one() {
            add(1);
        }

        /// Adds 2.
        @Actor
        public void two() {
            add(2);
        }

        /// What came of it.
        @Arbiter
        public void sum(I_Result result) {
            result.r1 = value;
        }
    }

    /// A ring before, while or after a thread falls asleep wakes it, and it sees what it was rung
    /// for.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "woken, and sees why")
    @Outcome(expect = FORBIDDEN, desc = "slept through it, or was woken for nothing")
    @State
    public static class Ring {
        private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);
        private int published;

        /// Publishes and rings.
        @Actor
        public void ringer() {
            published = 1;
            waiter.ring();
        }

        /// Sleeps until it is rung.
        @Actor
        public void sleeper(II_Result result) {
            long deadline = System.nanoTime() + LONG_NANOS;
            waiter.idle(deadline);
            result.r1 = System.nanoTime() - deadline < 0 ? 1 : 0;
            result.r2 = published;
        }

        /// Gives the selector back.
        @Arbiter
        public void close(II_Result result) {
            waiter.close();
        }
    }

    /// One of many that a waiter keeps armed.
    private static final class Kept implements Waitable {
        volatile Doorbell bell = () -> {};
        volatile int one;
        volatile int other;
        boolean both;

        /// A waiter that has armed it.
        Waiter armed() {
            var waiter = new Waiter(WaitPolicy.SLEEP);
            waiter.keep(this, this::look);
            waiter.idle(Long.MAX_VALUE);
            waiter.looks();
            waiter.ring();
            waiter.idle(Long.MAX_VALUE);
            return waiter;
        }

        private boolean look() {
            both = one + other == 2;
            return both;
        }

        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {
            // nobody looks whether it is armed
        }

        @Override
        public SleepTraits traits() {
            return new SleepTraits(false, false, true);
        }

        @Override
        public @Nullable SelectableChannel channel() {
            return null;
        }

        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void bell(Doorbell ringing) {
            bell = ringing;
        }
    }

    /// One of many that stay armed, rung by two at once: a look sees both.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "both were seen")
    @Outcome(expect = FORBIDDEN, desc = "one was slept through")
    @State
    public static class Touch {
        private final Kept kept = new Kept();
        private final Waiter waiter = kept.armed();

        /// Publishes and rings.
        @Actor
        public void ringer() {
            kept.one = 1;
            kept.bell.ring();
        }

        /// Another.
        @Actor
        public void another() {
            kept.other = 1;
            kept.bell.ring();
        }

        /// Sleeps and looks until it has seen both.
        @Actor
        public void sleeper(II_Result result) {
            long deadline = System.nanoTime() + LONG_NANOS;
            while (!kept.both && waiter.idle(deadline)) {
                waiter.looks();
            }
            result.r1 = kept.both ? 1 : 0;
            result.r2 = System.nanoTime() - deadline < 0 ? 1 : 0;
        }

        /// Gives the selector back.
        @Arbiter
        public void close(II_Result result) {
            waiter.close();
        }
    }
}
