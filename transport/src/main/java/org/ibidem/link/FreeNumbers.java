package org.ibidem.link;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/// Gives numbers to what comes and goes: the same distance apart, positive, and after the largest
/// the first again. What is still there when they come round keeps its number, and the next free
/// one is given.
///
/// A number that has just become free is given again only after all others, so that what is late
/// and names it meets nothing new. Safe for many threads.
public final class FreeNumbers {
    private final int first;
    private final int step;
    private final AtomicInteger next;

    /// All positive ones, from 1 on.
    public FreeNumbers() {
        this(1, 1);
    }

    /// From the first on, this far apart; both are positive.
    public FreeNumbers(int first, int step) {
        this.first = first;
        this.step = step;
        this.next = new AtomicInteger(first);
    }

    /// The next one that is free. The caller puts it into use before all others were given.
    ///
    /// @param used whether one is in use; some are not
    public int take(IntPredicate used) {
        int number;
        do {
            number = next.getAndUpdate(this::after);
        } while (used.test(number));
        return number;
    }

    private int after(int number) {
        return number > Integer.MAX_VALUE - step ? first : number + step;
    }

    /// Goes on from this one, which is one of them: tests begin near the end.
    public void goOnFrom(int number) {
        next.set(number);
    }
}
