package org.ibidem.buffer;

import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.INT;
import static org.ibidem.buffer.RingLayout.LENGTH_MASK;
import static org.ibidem.buffer.RingLayout.LONG;
import static org.ibidem.buffer.RingLayout.MOVED;
import static org.ibidem.buffer.RingLayout.PAD;
import static org.ibidem.buffer.RingLayout.READER_POSITION;
import static org.ibidem.buffer.RingLayout.READER_SLEEPS;
import static org.ibidem.buffer.RingLayout.WRITER_WAITS;
import static org.ibidem.buffer.RingLayout.tagged;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;

/// The reading end of a ring: one thread at a time. Records are lent in place.
public final class RingReader {
    private static final int CREDITS_PER_RING = 16;

    private final MemorySegment memory;
    private final long base;
    private final List<RingPlace> places;
    private int next;

    private long data;
    private long size;
    private long mask;
    private long creditEvery;
    private int largest;

    private long head;
    private long published;
    private boolean creditGiven;

    /// What the flag says of an awake reader: that it rests, that it asks for fences, or 0.
    private int resting;

    private int fenced;

    /// Whether the flag says that it sleeps, as far as it was set here.
    private boolean asleep;

    /// Somebody took the flag: a wake-up is on its way.
    private boolean told;

    RingReader(MemorySegment memory, RingPlan plan) {
        this.memory = memory;
        this.base = plan.control();
        this.places = plan.places();
        goTo(places.getFirst());
    }

    private void goTo(RingPlace place) {
        next++;
        data = place.data();
        size = place.size();
        mask = size - 1;
        creditEvery = size / CREDITS_PER_RING;
        largest = RingLayout.largestRecord(size) - HEADER;
    }

    /// Gives back the record lent before and lends the next; false: there is none.
    ///
    /// @throws IllegalStateException when the record is one that no writer of ours can have written
    public boolean poll(Frame lent) {
        if (head - published >= creditEvery) {
            publish();
        }
        long offset = head & mask;
        long word = (long) LONG.getAcquire(memory, data + offset);
        if (!tagged(word, head)) {
            return false;
        }
        // From here on only this copy counts: shared memory may change under us.
        int flags = (int) (word >>> 24) & 0xFF;
        int length = (int) word & LENGTH_MASK;
        if (flags >= MOVED && goesOn(flags, offset)) {
            return poll(lent);
        }
        if (length > largest
                || offset + HEADER + length > size
                || (flags & ~Frame.WIRE_FLAGS) != 0) {
            throw new IllegalStateException(
                    "a record of "
                            + length
                            + " bytes with flags "
                            + flags
                            + " at "
                            + offset
                            + " of "
                            + size
                            + ", where the largest has "
                            + largest);
        }
        long start = data + offset + HEADER;
        lent.show(memory, start, start + length);
        lent.flags = flags;
        head = (head + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        return true;
    }

    /// Goes on where the next record is, when this one only says where; false: it is none of those.
    private boolean goesOn(int flags, long offset) {
        if (flags == PAD && offset != 0) {
            head += size - offset;
        } else if (flags == MOVED && next < places.size()) {
            head += ALIGNMENT;
            goTo(places.get(next));
        } else {
            return false;
        }
        publish();
        return true;
    }

    /// Gives everything lent back now.
    public void release() {
        if (head != published) {
            publish();
        }
    }

    /// Release: our last look at that memory happened before the writer may overwrite it.
    private void publish() {
        published = head;
        LONG.setRelease(memory, base + READER_POSITION, head);
        creditGiven = true;
    }

    /// To be asked after polls and releases: did room become free that a sleeping writer waits for?
    /// True once per sleep.
    public boolean mustWakeWriter() {
        if (!creditGiven) {
            return false;
        }
        creditGiven = false;
        VarHandle.fullFence(); // the position before the load of the flag
        return (int) INT.getOpaque(memory, base + WRITER_WAITS) != 0
                && (int) INT.getAndSet(memory, base + WRITER_WAITS, 0) != 0;
    }

    /// Says that the reader is about to sleep; gives everything lent back.
    ///
    /// Before a long sleep [#sleepsOn] must be asked, a millisecond later: a writer that looked
    /// just before may have a record on its way out of its processor still, and wakes nobody for
    /// it. Once a millisecond has passed since the first sleep that need not be any more, until
    /// [#seldomSleeps].
    ///
    /// @return false: there is a record already
    public boolean sleep() {
        release();
        fenced = RingLayout.FENCED;
        asleep = true;
        INT.setOpaque(memory, base + READER_SLEEPS, RingLayout.SLEEPS | fenced | resting);
        VarHandle.fullFence(); // our flag before the second look
        if (isThere()) {
            wake();
            return false;
        }
        return true;
    }

    /// Takes the flag back.
    private void wake() {
        int flag = (int) INT.getAndSet(memory, base + READER_SLEEPS, fenced | resting);
        asleep = false;
        told |= (flag & RingLayout.SLEEPS) == 0;
    }

    /// Sleeping has become rare: the writer need have no fences.
    public void seldomSleeps() {
        fenced = 0;
        INT.setOpaque(memory, base + READER_SLEEPS, resting);
    }

    private boolean isThere() {
        return tagged((long) LONG.getAcquire(memory, data + (head & mask)), head);
    }

    /// Looks again, a moment after [#sleep].
    ///
    /// @return false: there is a record, or a wake-up is on its way
    public boolean sleepsOn() {
        int flag = (int) INT.getOpaque(memory, base + READER_SLEEPS);
        return (flag & RingLayout.SLEEPS) != 0 && !isThere();
    }

    /// Asks the writer to set its ready bit when there is a record; gives everything lent back.
    ///
    /// The writer may miss this by a moment, as it may miss [#sleep]: poll now and then.
    ///
    /// @return false: there is a record already, and nothing was asked
    public boolean rest() {
        release();
        resting = RingLayout.RESTS;
        INT.setOpaque(memory, base + READER_SLEEPS, fenced | resting);
        VarHandle.fullFence(); // our flag before the second look
        if (isThere()) {
            rouse();
            return false;
        }
        return true;
    }

    /// Takes [#rest] back. A bit that is on its way already becomes one for nothing.
    public void rouse() {
        resting = 0;
        INT.setOpaque(memory, base + READER_SLEEPS, fenced);
    }

    /// Says that the reader is awake.
    ///
    /// @return whether the writer has seen it asleep: its wake-up is here, or on its way
    public boolean awake() {
        if (asleep) {
            wake();
        }
        boolean was = told;
        told = false;
        return was;
    }
}
