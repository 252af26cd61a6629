package org.ibidem.buffer;

import static org.ibidem.buffer.RingLayout.ALIGNMENT;
import static org.ibidem.buffer.RingLayout.FENCED;
import static org.ibidem.buffer.RingLayout.HEADER;
import static org.ibidem.buffer.RingLayout.INT;
import static org.ibidem.buffer.RingLayout.INVITES;
import static org.ibidem.buffer.RingLayout.JOINS;
import static org.ibidem.buffer.RingLayout.LONG;
import static org.ibidem.buffer.RingLayout.MOVED;
import static org.ibidem.buffer.RingLayout.PAD;
import static org.ibidem.buffer.RingLayout.PARTS;
import static org.ibidem.buffer.RingLayout.READER_DECLINED;
import static org.ibidem.buffer.RingLayout.READER_POSITION;
import static org.ibidem.buffer.RingLayout.READER_SLEEPS;
import static org.ibidem.buffer.RingLayout.RESERVE;
import static org.ibidem.buffer.RingLayout.WRITER_WAITS;
import static org.ibidem.buffer.RingLayout.tag;
import static org.ibidem.buffer.RingLayout.tagged;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The writing end of a ring: one thread at a time. Records are filled in place and published by
/// their header word.
public final class RingWriter {
    /// Lines made this core's own at one go, ahead of small records.
    private static final int AHEAD = 8 * ALIGNMENT;

    /// The same where the reader answers each: its own core fetches some, too.
    private static final int AHEAD_OF_ANSWERS = 2 * ALIGNMENT;

    /// Payload of a small record.
    private static final int SMALL = 3 * ALIGNMENT;

    /// The largest record, header included, that one like it is expected after, once answered.
    private static final int ALIKE = 16 << 10;

    private final MemorySegment memory;
    private final long base;
    private final List<RingPlace> places;
    private int next;

    private long data;
    private long size;
    private long mask;

    /// Of a record, header included.
    private int largest;

    private long tail;

    /// Where the reader was when last looked at.
    private long read;

    /// The position of the first record in this place.
    private long start;

    /// The position up to which may be written: what the reader has left, or has not been used yet.
    private long credit;

    /// Not a constant: the compiler would unroll a loop that goes in such steps, and would not
    /// compile into its callers what is as large as that.
    private final long line;

    /// Up to where the lines were made this core's own. What begins one of those that follow the
    /// tail is no header, for nothing is written behind what is committed ([Frame]).
    private long owned;

    /// What comes the other way, and how far it was when last looked at; null: nothing does.
    private @Nullable RingReader answers;

    private long heard;

    private int wanted;
    private int invitations;

    /// What to set when the reader rests; null: it never does.
    private @Nullable ReadyBit ready;

    /// Those of a broadcast ring; null: there is one reader.
    private final @Nullable RingReaders readers;

    RingWriter(MemorySegment memory, RingPlan plan, @Nullable RingReaders readers) {
        this.readers = readers;
        this.memory = memory;
        this.base = plan.control();
        this.line = ALIGNMENT;
        this.places = plan.places();
        goTo(places.getFirst());
    }

    private void goTo(RingPlace place) {
        next++;
        data = place.data();
        size = place.size();
        mask = size - 1;
        largest = RingLayout.largestRecord(size);
        start = tail;
        credit = tail + size - RESERVE;
    }

    /// Where to say that there is something to read, while the reader rests; before the first use.
    public void announce(ReadyBit bit) {
        ready = bit;
    }

    /// What is set when the reader rests.
    public @Nullable ReadyBit announced() {
        return ready;
    }

    /// What is read here from those who read what is written: by that it is known whether they
    /// answer. A hint alone.
    public void answers(RingReader in) {
        answers = in;
    }

    /// The largest payload that one record can have, in bytes: in the last place.
    public int largest() {
        return RingLayout.largestRecord(places.getLast().size()) - HEADER;
    }

    /// The largest payload of one record as long as the ring stays where it is.
    public int largestHere() {
        return largest - HEADER;
    }

    /// Bytes of data in the place in use.
    public long size() {
        return size;
    }

    /// Bytes written since the beginning, headers and filler included.
    public long written() {
        return tail;
    }

    /// Where the ring would move to; null: this is the last place.
    public @Nullable RingPlace larger() {
        return next < places.size() ? places.get(next) : null;
    }

    /// Moves to the next place, which is all zeros. What was written before is read before what
    /// follows. Room that was granted is void.
    public void move() {
        long offset = data + (tail & mask);
        long word = tag(tail) | ((long) MOVED << 24);
        tail += ALIGNMENT;
        goTo(places.get(next));
        clear(tail);
        LONG.setRelease(memory, offset, word);
    }

    /// Ends a broadcast ring: its readers go on in their own rings. There is always room for this,
    /// whatever is still to be read; nothing may be written here afterwards.
    public void part() {
        LONG.setRelease(memory, data + (tail & mask), tag(tail) | ((long) PARTS << 24));
        tail += ALIGNMENT;
        credit = tail;
    }

    /// Publishes `room` as a record that tells the reader where a broadcast ring is; in claimed
    /// room.
    ///
    /// @return the invitation's number, to be compared with [#declined]
    public int invite(Frame room) {
        publish(room, INVITES);
        return ++invitations;
    }

    /// Sends the reader to the broadcast ring it has come to; in claimed room. Room that was
    /// granted before is void.
    public void join(Frame room) {
        publish(room, JOINS);
    }

    /// The last invitation that the reader could not follow, as it says; 0: none.
    public int declined() {
        return (int) INT.getAcquire(memory, base + READER_DECLINED);
    }

    /// Sets `room` to free memory of at least `atLeast` bytes; false: not that much is free, or not
    /// even one record of this place is that large.
    public boolean claim(Frame room, int atLeast) {
        long offset = tail & mask;
        long free = Math.min(credit - tail, size - offset);
        if (free < atLeast + HEADER || atLeast + HEADER > largest) {
            return claimSlowly(room, atLeast + HEADER);
        }
        owned = tail; // what was granted before may have been written to, and given up
        grant(room, offset, free);
        return true;
    }

    private boolean claimSlowly(Frame room, int record) {
        if (record > largest) {
            requirePossible(record);
            return false;
        }
        wanted = record;
        refreshCredit();
        long offset = tail & mask;
        long toEnd = size - offset;
        if (toEnd < record) {
            if (credit - tail < toEnd + record) {
                return false;
            }
            pad(offset, toEnd);
            offset = 0;
        }
        long free = Math.min(credit - tail, size - offset);
        if (free < record) {
            return false;
        }
        owned = tail;
        grant(room, offset, free);
        return true;
    }

    private void requirePossible(int record) {
        if (record - HEADER > largest()) {
            throw new IllegalArgumentException(
                    "a claim of " + (record - HEADER) + " bytes; this ring grants " + largest());
        }
    }

    private void grant(Frame room, long offset, long free) {
        long at = data + offset;
        room.showShared(memory, at + HEADER, at + Math.min(free, largest));
    }

    /// Acquire: what the reader did with the memory it gave back happened before we write there
    /// again.
    private void refreshCredit() {
        var several = readers;
        long now =
                several == null
                        ? (long) LONG.getAcquire(memory, base + READER_POSITION)
                        : several.slowest(tail);
        if (now < read || now > tail || now % ALIGNMENT != 0) {
            throw new IllegalStateException(
                    "the reader says it is at "
                            + now
                            + ", but was at "
                            + read
                            + ", and what was written ends at "
                            + tail);
        }
        read = now;
        credit = Math.max(now, start) + size - RESERVE;
    }

    private void pad(long offset, long toEnd) {
        long next = tail + toEnd;
        clear(next);
        LONG.setRelease(memory, data + offset, tag(tail) | ((long) PAD << 24));
        tail = next;
    }

    /// Makes sure that what lies where the next header will be does not look like one: old payload
    /// could, by chance or malice. Only the writer writes data, and the reader looks there only
    /// after it has acquired the record before, so this plain store, made before that record's
    /// release, cannot be missed. Its complement has another tag for sure; zero has not, at the one
    /// position in 2^38 whose tag is 0.
    private void clear(long next) {
        long offset = data + (next & mask);
        long word = (long) LONG.get(memory, offset);
        if (tagged(word, next)) {
            LONG.set(memory, offset, ~word);
        }
    }

    /// Publishes `room.start..room.position` as one record and leaves the next room in `room`, or
    /// an empty one.
    public void commit(Frame room, int flags) {
        long here = tail;
        long at = data + (here & mask);
        long length = room.position - at - HEADER;
        long record = (length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        long next = here + record;
        long after = at + record;
        // Where it ends among lines that are this core's own, and before its room does, nothing
        // else is to be seen to. What does not makes one of these negative.
        if ((length | owned - ALIGNMENT - 1 - next | room.limit - 1 - after) < 0) {
            publish(room, flags & Frame.WIRE_FLAGS);
            return;
        }
        LONG.setRelease(memory, at, tag(here) | (flags & Frame.WIRE_FLAGS) << 24 | length);
        room.next(after + HEADER);
        tail = next;
    }

    private void publish(Frame room, int flags) {
        long offset = tail & mask;
        long length = room.position - (data + offset + HEADER);
        long next = (tail + length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
        if (length < 0 || length > largest - HEADER || next > credit) {
            throw new IllegalStateException(
                    "commit of " + length + " bytes without a claim for them");
        }
        if (next >= owned) {
            clear(next);
        }
        LONG.setRelease(memory, data + offset, tag(tail) | ((long) flags << 24) | length);
        tail = next;
        long nextOffset = next & mask;
        if (next + ALIGNMENT >= owned) {
            own(nextOffset, length, flags);
        }
        grant(room, nextOffset, Math.max(HEADER, Math.min(credit - next, size - nextOffset)));
    }

    /// Makes the lines that come next this core's own, before they are written to.
    ///
    /// A processor's stores leave it in order, and one to a line that another core has read waits
    /// until that has given it up: all those behind it wait, too, and after some dozens the
    /// processor does. Among the stores that a message takes anyway that is one line at a time;
    /// here the lines are asked for side by side, behind a publication, while an answer is on its
    /// way. Not the very next line, at which the reader looks. They begin with what is no header
    /// there, so that nobody has to look before the record that ends in front of them.
    private void own(long nextOffset, long length, int flags) {
        long ahead;
        var in = answers;
        if (in != null && in.position() != heard && (flags & Frame.MORE) == 0) {
            heard = in.position();
            long record = (length + HEADER + ALIGNMENT - 1) & -ALIGNMENT;
            ahead = record > ALIKE ? 0 : Math.max(record, AHEAD_OF_ANSWERS);
        } else {
            ahead = length > SMALL ? 0 : AHEAD;
        }
        long free = Math.min(credit - tail, size - nextOffset);
        long end = Math.min(free, ALIGNMENT + ahead);
        for (long at = ALIGNMENT; at < end; at += line) {
            LONG.set(memory, data + nextOffset + at, ~tag(tail + at));
        }
        owned = tail + end;
    }

    /// To be asked after the last commit of a burst: must the reader be woken? Answers true once
    /// per sleep. Where the reader rests, sets its bit.
    ///
    /// No fence stands between the publication and this look, which would cost every message as
    /// much as a trip between the cores: the processor may look before its store is seen elsewhere.
    /// A reader that begins to sleep pays instead: it looks a second time when every such store has
    /// long been seen ([RingReader#sleepsOn]), and asks for the fence from then on. What is here
    /// keeps the compiler from changing the order.
    public boolean mustWakeReader() {
        VarHandle.acquireFence();
        return (int) INT.getOpaque(memory, base + READER_SLEEPS) != 0 && tellIfItSleeps();
    }

    private boolean tellIfItSleeps() {
        VarHandle.fullFence(); // the publication before the load of the flag
        int flag = (int) INT.getOpaque(memory, base + READER_SLEEPS);
        return (flag & (RingLayout.SLEEPS | RingLayout.RESTS)) != 0 && tell();
    }

    /// The bit is set before the doorbell is rung: who wakes finds it.
    private boolean tell() {
        int flag = (int) INT.getAndBitwiseAnd(memory, base + READER_SLEEPS, FENCED);
        var bit = ready;
        if ((flag & RingLayout.RESTS) != 0 && bit != null) {
            bit.set();
        }
        return (flag & RingLayout.SLEEPS) != 0;
    }

    /// Says that the writer is about to sleep until there is room for what [#claim] last refused.
    ///
    /// @return false: there is room already
    public boolean sleep() {
        INT.setOpaque(memory, base + WRITER_WAITS, 1);
        VarHandle.fullFence(); // our flag before the load of the reader's position
        refreshCredit();
        if (credit - tail >= needed()) {
            awake();
            return false;
        }
        return true;
    }

    private long needed() {
        long toEnd = size - (tail & mask);
        return toEnd < wanted ? toEnd + wanted : wanted;
    }

    /// How far each reader of a broadcast ring must have come to make room for what [#claim] last
    /// refused.
    public long required() {
        long position = tail + needed() + RESERVE - size;
        return position <= start ? 0 : position;
    }

    /// What was refused last is wanted no more.
    public void unwanted() {
        wanted = 0;
    }

    /// Says that the writer is awake.
    public void awake() {
        INT.setOpaque(memory, base + WRITER_WAITS, 0);
    }
}
