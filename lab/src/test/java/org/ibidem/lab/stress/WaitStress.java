package org.ibidem.lab.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
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
}
