package org.ibidem.lab.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IJ_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/// The ring's two ends in two threads.
public final class RingStress {
    private static final int OLD = 7;
    private static final int NEW = 42;

    private RingStress() {}

    /// Who sees a header sees the payload behind it.
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing there yet")
    @Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "a whole frame")
    @Outcome(expect = FORBIDDEN, desc = "a header without its payload")
    @State
    public static class Publication {
        private final Place at = new Place();

        /// Writes a frame.
        @Actor
        public void writer() {
            if (at.writer.claim(at.room, 8)) {
                at.write(NEW);
            }
        }

        /// Looks for a frame.
        @Actor
        public void reader(IJ_Result result) {
            if (at.reader.poll(at.lent)) {
                result.r1 = 1;
                result.r2 = at.read();
            }
        }
    }

    /// Nothing is written over what is being read.
    @JCStressTest
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "no room yet")
    @Outcome(id = "7, 1", expect = ACCEPTABLE, desc = "room, after it was read")
    @Outcome(expect = FORBIDDEN, desc = "overwritten while lent")
    @State
    public static class Credit {
        private final Place at = Place.full(OLD);

        /// Reads a frame and gives it back.
        @Actor
        public void reader(JJ_Result result) {
            at.reader.poll(at.lent);
            result.r1 = at.read();
            at.reader.release();
        }

        /// Writes where the frame was, if it may.
        @Actor
        public void writer(JJ_Result result) {
            if (at.writer.claim(at.room, at.writer.largest())) {
                at.write(NEW);
                result.r2 = 1;
            }
        }
    }

    /// What is written into the larger place is read after what was written before, and whole.
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing there yet")
    @Outcome(id = "7, 0", expect = ACCEPTABLE, desc = "what was written before")
    @Outcome(id = "7, 42", expect = ACCEPTABLE, desc = "and what was written after the move")
    @Outcome(expect = FORBIDDEN, desc = "not in order, or not whole")
    @State
    public static class Move {
        private final Place at = Place.growing();

        /// Writes a frame, moves, writes another.
        @Actor
        public void writer() {
            if (at.writer.claim(at.room, 8)) {
                at.write(OLD);
            }
            at.writer.move();
            if (at.writer.claim(at.room, 8)) {
                at.write(NEW);
            }
        }

        /// Reads both, where they are there.
        @Actor
        public void reader(JJ_Result result) {
            if (at.reader.poll(at.lent)) {
                result.r1 = at.read();
                result.r2 = at.reader.poll(at.lent) ? at.read() : 0;
            }
        }
    }

    /// A reader that falls asleep, and looks again when stores have settled, has seen the frame or
    /// is woken.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "sleeps and is woken")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "stays awake")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "stays awake; a spurious wake-up")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "sleeps and is not woken")
    @State
    public static class ReaderSleeps {
        private static final long SETTLED_NANOS = 20_000; // a part of what a waiter waits

        private final Place at = new Place();

        /// Writes a frame and asks whether somebody must be woken.
        @Actor
        public void writer(II_Result result) {
            if (at.writer.claim(at.room, 8)) {
                at.write(NEW);
            }
            result.r1 = at.writer.mustWakeReader() ? 1 : 0;
        }

        /// Falls asleep, if it may.
        @Actor
        public void reader(II_Result result) {
            if (at.reader.sleep()) {
                long before = System.nanoTime();
                while (System.nanoTime() - before < SETTLED_NANOS) {
                    Thread.onSpinWait();
                }
                result.r2 = at.reader.sleepsOn() ? 1 : 0;
            }
        }
    }

    /// A reader of which the writer knows that it sleeps now and then has seen the frame or is
    /// woken, without another look.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "sleeps and is woken")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "stays awake")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "stays awake; a spurious wake-up")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "sleeps and is not woken")
    @State
    public static class ReaderSleepsAgain {
        private final Place at = new Place();

        /// Has slept before.
        public ReaderSleepsAgain() {
            at.reader.sleep();
            at.reader.awake();
        }

        /// Writes a frame and asks whether somebody must be woken.
        @Actor
        public void writer(II_Result result) {
            if (at.writer.claim(at.room, 8)) {
                at.write(NEW);
            }
            result.r1 = at.writer.mustWakeReader() ? 1 : 0;
        }

        /// Falls asleep, if it may.
        @Actor
        public void reader(II_Result result) {
            result.r2 = at.reader.sleep() ? 1 : 0;
        }
    }

    /// A reader that rests, and looks again when stores have settled, has seen the frame or finds
    /// its bit; the frame is there by then.
    @JCStressTest
    @Outcome(id = "1, 42", expect = ACCEPTABLE, desc = "rests, its bit is set, the frame is whole")
    @Outcome(id = "0, 42", expect = ACCEPTABLE, desc = "does not rest, or looks by itself")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "nothing was written yet")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "a bit without its frame")
    @Outcome(expect = FORBIDDEN, desc = "torn")
    @State
    public static class ReaderRests {
        private final Place at = new Place();

        /// Writes a frame and tells of it.
        @Actor
        public void writer() {
            if (at.writer.claim(at.room, 8)) {
                at.write(NEW);
            }
            at.writer.mustWakeReader();
        }

        /// Rests, looks at its bit, and then at the ring.
        @Actor
        public void reader(IJ_Result result) {
            if (at.reader.rest()) {
                result.r1 = at.bit.take(at.bit.mask()) == 0 ? 0 : 1;
                at.reader.rouse();
            }
            result.r2 = at.reader.poll(at.lent) ? at.read() : 0;
        }
    }

    /// A writer that falls asleep has seen the room or is woken.
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "sleeps and is woken")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "stays awake")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "stays awake; a spurious wake-up")
    @Outcome(id = "0, 1", expect = FORBIDDEN, desc = "sleeps and is not woken")
    @State
    public static class WriterWaits {
        private final Place at = Place.full(OLD);
        private final boolean lent = at.reader.poll(at.lent);

        /// Gives the frame back and asks whether somebody must be woken.
        @Actor
        public void reader(II_Result result) {
            at.reader.release();
            result.r1 = lent && at.reader.mustWakeWriter() ? 1 : 0;
        }

        /// Falls asleep, if it may.
        @Actor
        public void writer(II_Result result) {
            result.r2 = at.writer.sleep() ? 1 : 0;
        }
    }
}
