package org.ibidem.ring;

import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Ring;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingPlan;
import org.ibidem.buffer.RingReaders;
import org.ibidem.buffer.RingWriter;
import org.ibidem.link.LinkBroken;

/// A ring that several readers read, at its writer's end: one write for all of them. The slowest
/// bounds the writer.
///
/// Each reader has a link of its own besides, over which it is told of the ring ([Participant]),
/// woken, and found out to be gone. The ring begins with the first message after all have come and
/// ends when one is to be written to alone. One thread at a time.
public final class Broadcast {
    /// What the driver adds: memory that many can read.
    public interface Ground {
        /// All zeros but what the driver needs itself.
        MemorySegment memory();

        /// Where the ring lies in it, with the control of the first reader; those of the others
        /// follow.
        RingPlan plan();

        /// Bytes that tell a reader where this is.
        int told();

        /// Tells a reader where this is.
        ///
        /// @param at where to write that
        /// @param reader which of them it is
        void tell(MemorySegment memory, long at, int reader);

        /// As [RingLink.Peer#reserve].
        boolean reserve(RingPlace place);

        /// Nobody else comes. The memory stays for those who have it.
        void close();
    }

    private final Ground ground;
    private final RingWriter ring;
    private final RingReaders readers;
    private final RingGrowth growth;

    Broadcast(Ground ground, int readers, RingReaders.Wrong wrong) {
        this.ground = ground;
        this.readers = Ring.readers(ground.memory(), ground.plan(), readers, wrong);
        this.ring = Ring.writer(ground.memory(), ground.plan(), this.readers);
        this.growth = new RingGrowth(ring, ground::reserve);
    }

    Ground ground() {
        return ground;
    }

    RingReaders readers() {
        return readers;
    }

    RingWriter ring() {
        return ring;
    }

    /// Moves to a larger place rather than sleep, if there is one.
    boolean moves() {
        return growth.sleeps();
    }

    /// As [org.ibidem.link.FrameSink#claim].
    ///
    /// @throws LinkBroken when there is no memory for frames that large
    public boolean claim(Frame room, int atLeast) {
        return ring.claim(room, atLeast) || (growth.full(atLeast) && ring.claim(room, atLeast));
    }

    /// As [org.ibidem.link.FrameSink#commit], but wakes nobody: that is [Participant#wake].
    public void commit(Frame room, int flags) {
        boolean mayMove = (flags & Frame.MORE) != 0 && growth.piece(room);
        ring.commit(room, flags);
        if (mayMove && growth.move()) {
            room.empty(); // what was granted lies in the place before
        }
    }

    /// As [org.ibidem.link.FrameSink#largest].
    public int largest() {
        return ring.largest();
    }

    /// What was claimed in vain is wanted no more: all readers follow.
    public void unwanted() {
        ring.unwanted();
    }

    /// One of the readers is gone, and bounds the writer no more.
    public void drop(int reader) {
        readers.drop(reader);
    }

    /// Sends all readers back to their own rings, behind what was written here.
    public void part() {
        ring.part();
    }

    /// The last use of it.
    public void close() {
        ground.close();
    }
}
