package org.ibidem.buffer;

import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.INT;
import static org.ibidem.buffer.RingLayout.INVITES;
import static org.ibidem.buffer.RingLayout.JOINS;
import static org.ibidem.buffer.RingLayout.LENGTH_MASK;
import static org.ibidem.buffer.RingLayout.LONG;
import static org.ibidem.buffer.RingLayout.MOVED;
import static org.ibidem.buffer.RingLayout.PAD;
import static org.ibidem.buffer.RingLayout.PARTS;
import static org.ibidem.buffer.RingLayout.READER_CAME;
import static org.ibidem.buffer.RingLayout.READER_DECLINED;
import static org.ibidem.buffer.RingLayout.READER_POSITION;
import static org.ibidem.buffer.RingLayout.READER_SLEEPS;
import static org.ibidem.buffer.RingLayout.WRITER_WAITS;
import static org.ibidem.buffer.RingLayout.tag;
import static org.ibidem.buffer.RingLayout.tagged;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The reading end of a ring: one thread at a time. Records are lent in place.
public final class RingReader {
    private static final int CREDITS_PER_RING = 16;

    /// Finds the broadcast ring that a writer tells of.
    @FunctionalInterface
    public interface Guide {
        /// Where it is, as `length` bytes from `at` say; null: it cannot be seen from here.
        @Nullable RingSite find(MemorySegment memory, long at, int length);
    }

    /// Records in a row that only say where to go: a writer has no reason for more.
    private static final int MOST_TURNS = 8;

    /// Credits without a sleep, after which sleeps are rare.
    private static final int AWAKE_FOR_LONG = 1 << 12;

    private MemorySegment memory;
    private long base;
    private List<RingPlace> places;
    private int next;

    private long data;
    private long size;
    private long mask;
    private long creditEvery;

    /// Where the next credit is due.
    private long creditAt;

    private int largest;

    private long head;
    private long published;
    private boolean creditGiven;

    /// What the flag says of an awake reader: that it rests, that it asks for fences, or 0.
    private int resting;

    private int fenced;

    /// Given since the last sleep.
    private int credits;

    /// Whether the flag says that it sleeps, as far as it was set here.
    private boolean asleep;

    /// Somebody took the flag: a wake-up is on its way.
    private boolean told;

    /// Follows invitations; null: nobody may invite this reader.
    private @Nullable Guide guide;

    private int invitations;
    private boolean turned;

    /// The broadcast ring it was invited to and has come to, and where it left its own ring.
    private @Nullable Stay invited;

    private @Nullable Stay home;

    /// Where a reader goes on when it comes back to a ring.
    ///
    /// @param next of its places comes after the one it is in
    private record Stay(
            MemorySegment memory, long base, List<RingPlace> places, int next, long head) {}

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
        creditAt = published + creditEvery;
        largest = RingLayout.largestRecord(size) - HEADER;
    }

    /// Gives back the record lent before and lends the next; false: there is none.
    ///
    /// @throws IllegalStateException when the record is one that no writer of ours can have written
    public boolean poll(Frame lent) {
        if (head >= creditAt) {
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
        if (flags >= MOVED && goesOn(flags, length)) {
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
        lent.showShared(memory, start, start + length);
        lent.flags = flags;
        head = (head + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        return true;
    }

    /// The same where it takes nothing but a look: the next record is there and is a frame without
    /// flags, and no credit is due. Whatever else there is, or is wrong, [#poll] sees to.
    public boolean next(Frame lent) {
        var mine = memory;
        long at = head;
        long offset = at & mask;
        long start = data + offset + HEADER;
        // Unsigned: another tag, or flags, make it larger than any.
        long length = (long) LONG.getAcquire(mine, start - HEADER) - tag(at);
        if (Long.compareUnsigned(length, largest) > 0
                || offset + HEADER + length > size
                || at >= creditAt) {
            return false;
        }
        lent.showShared(mine, start, start + length);
        lent.flags = 0;
        head = (at + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        return true;
    }

    /// The position of the next record.
    public long position() {
        return head;
    }

    /// Goes on where the next record is, when this one only says where; false: it is none of those.
    private boolean goesOn(int flags, int length) {
        long offset = head & mask;
        if (flags == PAD && offset != 0) {
            head += size - offset;
            publish();
        } else if (flags == MOVED && next < places.size()) {
            head += ALIGNMENT;
            goTo(places.get(next));
            publish();
        } else {
            return turns(flags, length);
        }
        return true;
    }

    /// Follows all records in a row that tell of a broadcast ring.
    private boolean turns(int flags, int length) {
        int itsFlags = flags;
        int itsLength = length;
        for (int i = 0; turn(itsFlags, itsLength); i++) {
            if (i == MOST_TURNS) {
                throw new IllegalStateException("records without end that carry nothing");
            }
            long word = (long) LONG.getAcquire(memory, data + (head & mask));
            itsFlags = tagged(word, head) ? (int) (word >>> 24) & 0xFF : 0;
            itsLength = (int) word & LENGTH_MASK;
            if (itsFlags < INVITES || itsFlags > PARTS) {
                return true;
            }
        }
        return false;
    }

    private boolean turn(int flags, int length) {
        var out = invited;
        var back = home;
        if (flags == INVITES && guide != null && back == null) {
            follow(guide, length);
        } else if (flags == JOINS && out != null && back == null) {
            head += ALIGNMENT;
            publish();
            home = new Stay(memory, base, places, next, head);
            invited = null;
            enter(out);
        } else if (flags == PARTS && back != null) {
            head += ALIGNMENT;
            publish();
            home = null;
            enter(back);
        } else {
            return false;
        }
        return true;
    }

    private void follow(Guide finder, int length) {
        long offset = head & mask;
        if (length > largest || offset + HEADER + length > size) {
            throw new IllegalStateException(
                    "an invitation of " + length + " bytes at " + offset + " of " + size);
        }
        long at = data + offset + HEADER;
        invitations++;
        var site = finder.find(memory, at, length);
        if (site == null) {
            INT.setRelease(memory, base + READER_DECLINED, invitations);
        } else {
            RingLayout.check(site.memory(), site.plan());
            var plan = site.plan();
            invited = new Stay(site.memory(), plan.control(), plan.places(), 1, 0);
            INT.setRelease(site.memory(), plan.control() + READER_CAME, 1);
        }
        head = (head + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        publish();
    }

    /// Goes on in another ring. Who was said to sleep or rest in this one does so there; nobody
    /// polls between a [#sleep] and its [#awake], but it would lose no wake-up. The writer may not
    /// know for a moment that this reader sleeps now and then: see [#hasTurned].
    private void enter(Stay stay) {
        int flag = (int) INT.getAndSet(memory, base + READER_SLEEPS, 0);
        memory = stay.memory;
        base = stay.base;
        places = stay.places;
        next = stay.next - 1;
        head = stay.head;
        published = stay.head;
        goTo(places.get(next));
        int sleeps = flag & RingLayout.SLEEPS;
        INT.setOpaque(memory, base + READER_SLEEPS, sleeps | fenced | resting);
        turned = true;
        VarHandle.fullFence(); // the flag before the look at the next record
    }

    /// Whether the flag is in another ring than when this was asked before: then the writer may
    /// miss it again, as it may miss the first [#sleep].
    public boolean hasTurned() {
        boolean was = turned;
        turned = false;
        return was;
    }

    /// Follows invitations to broadcast rings from now on, as `finder` finds them.
    public void guide(Guide finder) {
        guide = finder;
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
        creditAt = head + creditEvery;
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
        if (fenced != 0 && !asleep && ++credits == AWAKE_FOR_LONG) {
            seldomSleeps();
        }
        VarHandle.fullFence(); // the position before the load of the flag
        return (int) INT.getOpaque(memory, base + WRITER_WAITS) != 0
                && (int) INT.getAndSet(memory, base + WRITER_WAITS, 0) != 0;
    }

    /// Says that the reader is about to sleep; gives everything lent back.
    ///
    /// Before a long sleep [#sleepsOn] must be asked, a millisecond later: a writer that looked
    /// just before may have a record on its way out of its processor still, and wakes nobody for
    /// it. Once a millisecond has passed since the first sleep that need not be any more, as long
    /// as [#isKnownToSleep].
    ///
    /// @return false: there is a record already
    public boolean sleep() {
        release();
        fenced = RingLayout.FENCED;
        credits = 0;
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

    /// Whether the writer was asked for fences, which it keeps until sleeping has become rare.
    public boolean isKnownToSleep() {
        return fenced != 0;
    }

    /// Sleeping has become rare: the writer need have no fences.
    private void seldomSleeps() {
        fenced = 0;
        INT.setOpaque(memory, base + READER_SLEEPS, resting);
    }

    /// Whether a record is there.
    public boolean isThere() {
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
