package org.ibidem.arbitration;

import org.ibidem.buffer.Frame;

/// Leaves a ring alone for a moment before the first look for a message that is awaited.
///
/// A look at the line that a peer is about to write takes it away from him, and he has to fetch it
/// back before the message can be finished: one trip between the cores more. No answer is there
/// before two such trips and what a peer needs to read and write, so a look right behind what is
/// answered is in vain, and does that harm. Messages that come close behind each other must not
/// wait for it: there is no delay but after two in a row that were not there at once (the reader of
/// a stream catches up with its writer now and then), and now and then a look is made without.
/// Figures: `docs/design/shared-memory.md`.
public final class Patience {
    /// Multiplications that wait for each other, behind a pause of the processor's own: together
    /// some 90 ns, about what the fastest answer takes.
    private static final int STEPS = 57;

    /// Payload that lies in one line, behind its header.
    private static final int SMALL = 56;

    /// Looks from one without delay to the next: so many at first, twice as many after each in
    /// vain.
    private static final int FIRST = 8;

    private static final int MOST = 256;

    /// The last message was there at once; it was not; answers are waited for.
    private static final int THERE = 0, MISSED = 1, WAITS = 2;

    private int state = THERE;

    private int untilTry;
    private int step;

    /// Of no meaning, but the compiler must not know that.
    private int chain;

    /// Not a constant: the compiler would unroll a loop that goes in such steps, and would not
    /// compile into its callers what is as large as that.
    private final int one;

    /// Makes one that does not wait yet.
    public Patience() {
        one = 1;
    }

    /// To be called before the first look.
    ///
    /// @param last what was lent last: a larger one like it takes its writer longer than this delay
    public void take(Frame last) {
        if (isDue(last)) {
            delay();
        }
    }

    /// Whether the look that follows is delayed.
    boolean isDue(Frame last) {
        return state == WAITS && last.limit - last.start <= SMALL && --untilTry > 0;
    }

    private void delay() {
        Thread.onSpinWait();
        int link = chain;
        for (int i = STEPS; i > 0; i -= one) {
            link = link * 31 + 7;
        }
        chain = link;
    }

    /// The first look was made.
    ///
    /// @param found whether something was there
    public void looked(boolean found) {
        if (!found) {
            missed();
        } else if (state != THERE && (state == MISSED || untilTry <= 0)) {
            state = THERE;
        }
    }

    private void missed() {
        if (state != WAITS) {
            state++;
            step = FIRST;
            untilTry = step;
        } else if (untilTry <= 0) {
            step = Math.min(step << 1, MOST);
            untilTry = step;
        }
    }
}
