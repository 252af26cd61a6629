package org.ibidem.link.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.file.Path;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingReader;
import org.ibidem.buffer.RingSite;
import org.ibidem.buffer.RingWriter;
import org.ibidem.link.StreamPath;
import org.ibidem.ring.Broadcast;
import org.ibidem.ring.RingLink;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// The doorbell between two processes: a byte in the pipe of the end that is woken, or, where the
/// other end cannot open that, on the socket over which both met. The kernel ends either when the
/// peer dies, however it dies.
final class ProcessBell implements RingLink.Peer {
    private static final int MANY = 64;

    private final StreamPath met;
    private final Waitable hears;
    private final Segment segment;
    private final Path folder;
    private final Spare spare;
    private final ByteBuffer taken = ByteBuffer.allocateDirect(MANY);
    private final ByteBuffer ring = ByteBuffer.allocateDirect(1);

    /// Where the other end says that it sets the bit of this end; null: there is none.
    private @Nullable ReadySlot ready;

    /// What wakes this end, and where it says so.
    private @Nullable BellPipe mine;

    private @Nullable BellPlace place;

    /// What wakes the other end.
    private BellPlace.@Nullable Ringer theirs;

    /// Told of rings by what no selector takes; null: a selector tells.
    private @Nullable RingLink told;

    ProcessBell(StreamPath met, Segment segment, Path folder, Spare spare) {
        this.met = met;
        this.hears = met.readable();
        this.folder = folder;
        this.segment = segment;
        this.spare = spare;
    }

    /// Tells the other end, in the segment, what it may wake this one by.
    ///
    /// @param page this node's ready words, or null
    /// @param at [ReadyPlace#ACTIVE] or [ReadyPlace#PASSIVE]: this end
    void tell(@Nullable ReadyPage page, long at) {
        ready = ReadySlot.take(page, segment.memory(), at);
        mine = spare.given() ? BellPipe.create() : null;
        place = new BellPlace(segment.memory(), at + BellPlace.BEHIND);
        if (mine != null) {
            place.tell(mine);
        }
    }

    /// Finds what the other end told.
    ///
    /// @param at [ReadyPlace#ACTIVE] or [ReadyPlace#PASSIVE]: the other end
    void find(long at) {
        theirs = new BellPlace(segment.memory(), at + BellPlace.BEHIND).find();
    }

    /// The meeting is over: the link over these rings.
    RingLink link(RingWriter out, RingReader in) throws IOException {
        met.blocking(false);
        keepWhatIsOpened();
        if (!spare.given()) {
            segment.close();
        }
        var link = new RingLink(out, in, this);
        if (mine == null && hears.channel() == null) {
            rings(link);
        }
        return link;
    }

    private void keepWhatIsOpened() throws IOException {
        var pipe = mine;
        if (pipe != null && place != null && place.isOpened()) {
            pipe.opened();
        } else if (pipe != null) {
            mine = null;
            pipe.close();
        }
    }

    /// What no selector takes says itself when the other end rang, to this end's sleepers. It may
    /// have rung before.
    private void rings(RingLink link) {
        told = link;
        hears.bell(link::heard);
        listen();
    }

    /// A sleeper is rung once.
    private void listen() {
        var link = told;
        if (link != null && hears.arm() == Armed.READY) {
            link.heard();
        }
    }

    @Override
    public @Nullable ReadyBit announced() {
        var slot = ready;
        return slot != null && slot.place().told() ? slot.bit() : null;
    }

    /// At most one byte for each sleep of the reader and of the writer is ever on its way, so there
    /// is always room for it.
    @Override
    public void wake() {
        synchronized (ring) {
            try {
                if (theirs != null) {
                    theirs.ring();
                } else {
                    met.write(ring.clear());
                    met.flush(); // it would wait for company
                }
            } catch (IOException e) {
                log(e); // the peer is gone: its end of stream says so to whoever reads or waits
            }
        }
    }

    /// Reads once: a peer that rings without end shall not keep us here. What is left makes the
    /// next sleep short.
    @Override
    public int drain() {
        synchronized (taken) {
            try {
                taken.clear();
                return mine != null ? mine.drain(taken) : drainMet();
            } catch (IOException e) {
                log(e);
                return -1;
            }
        }
    }

    private int drainMet() throws IOException {
        hears.disarm();
        int rings = met.read(taken);
        if (rings >= 0) {
            listen();
        }
        return rings;
    }

    @Override
    public @Nullable SelectableChannel channel() {
        if (mine != null) {
            return mine.channel();
        }
        return hears.channel();
    }

    /// An interrupt in a file's channel closes it, and the ring could never grow again; in a
    /// socket's that does not block it does nothing.
    @Override
    public boolean reserve(RingPlace where) {
        return segment.reserve(where);
    }

    @Override
    public boolean broadcasts() {
        return true;
    }

    @Override
    public Broadcast.Ground broadcast(int readers) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            return BroadcastFile.create(folder, segment.layout().options(), readers);
        } finally {
            Segment.interruptAgain(interrupted);
        }
    }

    @Override
    public @Nullable RingSite find(MemorySegment memory, long at, int length) {
        boolean interrupted = Thread.interrupted();
        try {
            return Invitation.follow(memory, at, length);
        } finally {
            Segment.interruptAgain(interrupted);
        }
    }

    @Override
    public void close() {
        spare.close();
        segment.close();
        if (ready != null) {
            ready.free();
        }
        if (mine != null) {
            mine.close();
        }
        synchronized (ring) {
            if (theirs != null) {
                theirs.close();
            }
        }
        met.close();
    }

    private static void log(IOException e) {
        System.getLogger(ProcessBell.class.getName())
                .log(System.Logger.Level.DEBUG, "doorbell: {0}", e.getMessage());
    }
}
