package org.ibidem.ring;

import java.util.function.Predicate;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingWriter;
import org.ibidem.buffer.Tally;
import org.ibidem.link.LinkBroken;

/// When a ring moves to a larger place: when its writer would have to sleep because it stays full,
/// when it was found full again and again by one who spins, or when messages keep being cut into
/// pieces because its records are small.
final class RingGrowth {
    /// Times round that must have found the ring full.
    private static final int LAPS = 8;

    /// Frames that were full and not the last of their message.
    private static final int PIECES = 1024;

    /// How much longer to wait after memory was short.
    private static final int PATIENCE = 16;

    /// A frame with less room left counts as full.
    private static final int FULL = 64;

    private final RingWriter ring;
    private final Predicate<RingPlace> reserve;
    private Tally tally = Tally.unseen();
    private long fullAt;
    private int laps;
    private int pieces;
    private int sleeps;
    private int patience = 1;

    /// @param reserve gives memory to a place, or does not
    RingGrowth(RingWriter ring, Predicate<RingPlace> reserve) {
        this.ring = ring;
        this.reserve = reserve;
    }

    void tally(Tally counts) {
        tally = counts;
    }

    /// A claim was refused. Moves when that was the time to.
    ///
    /// @return whether it has moved, so that a claim may succeed now
    boolean full(int atLeast) {
        if (atLeast > ring.largestHere()) {
            while (atLeast > ring.largestHere()) {
                if (!move()) {
                    throw new LinkBroken(
                            "there is no memory for a ring whose frames hold "
                                    + atLeast
                                    + " bytes");
                }
            }
            return true;
        }
        if (ring.written() - fullAt < ring.size()) {
            return false;
        }
        fullAt = ring.written();
        return ++laps >= LAPS * patience && move();
    }

    /// A frame of a message that goes on is about to be committed.
    ///
    /// @return whether the ring should move after it
    boolean piece(Frame room) {
        return room.limit - room.position < FULL && ++pieces >= PIECES * patience;
    }

    /// The writer is about to sleep because the ring stays full.
    ///
    /// @return whether it has moved, so that the writer should look again
    boolean sleeps() {
        return ++sleeps >= patience && move();
    }

    /// Moves if there is a larger place and memory for it.
    boolean move() {
        laps = 0;
        pieces = 0;
        sleeps = 0;
        var place = ring.larger();
        if (place == null) {
            return false;
        }
        if (!reserve.test(place)) {
            patience = Math.min(patience * PATIENCE, Integer.MAX_VALUE / PIECES);
            return false;
        }
        ring.move();
        tally.add(Tally.What.MOVES, 1);
        fullAt = ring.written();
        return true;
    }
}
