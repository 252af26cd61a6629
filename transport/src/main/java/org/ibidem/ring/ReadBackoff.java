package org.ibidem.ring;

import org.ibidem.buffer.Frame;

/// Leaves a ring alone for a moment before the first look for a message that is awaited.
///
/// A look at the line that a peer is about to write takes it away from him, and he has to fetch it
/// back before the message can be finished: one trip between the cores more. No answer is there
/// before two such trips and what a peer needs to read and write, so a look right behind what is
/// answered is in vain, and does that harm. Messages that come close behind each other must not
/// wait for it: there is no delay but after two in a row that were not there at once (the reader of
/// a stream catches up with its writer now and then), and now and then a look is made without.
///
/// In a stream of small messages a processor that is close behind fetches lines ahead that are just
/// being written. There the reader falls back some hundred messages each time it has caught up.
/// Whether it is one is found by trying: it must not run dry soon after. Figures:
/// `docs/design/shared-memory.md`.
final class ReadBackoff {
    /// Multiplications that wait for each other, behind a pause of the processor's own: together
    /// some 90 ns, about what the fastest answer takes.
    private static final int STEPS = 57;

    /// The same to fall back in a stream: 8 to 9 µs.
    private static final int STEPS_BACK = 8_000;

    /// Bytes that are read behind that before the reader has caught up again, if it is a stream: 20
    /// million messages a second or so.
    private static final long STREAM = 16 << 10;

    /// Payload that lies in one line, behind its header.
    private static final int SMALL = 56;

    /// Looks from one without delay to the next: so many at first, twice as many after each in
    /// vain. Times caught up from one attempt to fall back to the next: likewise.
    private static final int FIRST = 8;

    private static final int MOST = 256;

    /// The last message was there at once; it was not; answers are waited for.
    private static final int THERE = 0, MISSED = 1, WAITS = 2;

    private int state = THERE;

    private int untilTry;
    private int step;

    /// The next delay is to fall back; the last one was.
    private boolean back;

    private int untilBack = FIRST;
    private int stepBack = FIRST;
    private long caughtUpAt;

    /// Of no meaning, but the compiler must not know that.
    private int chain;

    /// Not a constant: the compiler would unroll a loop that goes in such steps, and would not
    /// compile into its callers what is as large as that.
    private final int one;

    ReadBackoff() {
        one = 1;
    }

    /// To be called before the first look.
    ///
    /// @param last what was lent last: a larger one like it takes its writer longer than this delay
    void take(Frame last) {
        int steps = due(last);
        if (steps > 0) {
            delay(steps);
        }
    }

    /// By how many steps the look that follows is delayed.
    int due(Frame last) {
        boolean isDue = state == WAITS && last.limit - last.start <= SMALL && --untilTry > 0;
        return !isDue ? 0 : back ? STEPS_BACK : STEPS;
    }

    private void delay(int steps) {
        Thread.onSpinWait();
        int link = chain;
        for (int i = steps; i > 0; i -= one) {
            link = link * 31 + 7;
        }
        chain = link;
    }

    /// The first look found something.
    void found() {
        if (state != THERE && (state == MISSED || untilTry <= 0)) {
            state = THERE;
        }
    }

    /// The first look found nothing.
    ///
    /// @param position bytes that came so far
    void missed(long position) {
        if (state != WAITS) {
            state++;
            if (state == WAITS) {
                caughtUp(position);
            }
        } else if (untilTry <= 0) {
            back = false;
            step = Math.min(step << 1, MOST);
            untilTry = step;
        }
    }

    private void caughtUp(long position) {
        if (!back) {
            back = --untilBack <= 0;
        } else if (position - caughtUpAt < STREAM) {
            back = false;
            stepBack = Math.min(stepBack << 1, MOST);
            untilBack = stepBack;
        } else {
            stepBack = FIRST;
        }
        caughtUpAt = position;
        step = FIRST;
        untilTry = back ? 2 : step;
    }
}
