package org.ibidem.ring;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.SelectableChannel;
import org.ibidem.buffer.ReadyBit;
import org.ibidem.buffer.RingPlace;
import org.ibidem.buffer.RingReader;
import org.ibidem.buffer.RingSite;
import org.ibidem.buffer.RingWriter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.jspecify.annotations.Nullable;

/// A frame link over two rings in memory that both ends see, for drivers that have such memory.
///
/// The driver adds what differs: how to wake the other end, and how to know that it lives.
public final class RingLink implements FrameLink {
    /// What the driver adds to the rings.
    public interface Peer {
        /// Wakes whoever sleeps at the other end.
        void wake();

        /// Takes in what the other end rang, so that the channel is quiet again.
        ///
        /// @return rings taken in; -1: the other end is gone
        int drain();

        /// What becomes readable when the other end rings, or null when it rings the bells of this
        /// end directly.
        @Nullable SelectableChannel channel();

        /// Makes sure that there is memory, all zeros, where a ring is about to move to.
        ///
        /// @return false: there is none, and the ring stays where it is
        default boolean reserve(RingPlace place) {
            return true;
        }

        /// The bit that the other end sets for a reader here that rests; null: it sets none.
        default @Nullable ReadyBit announced() {
            return null;
        }

        /// Whether this driver has memory that many can read.
        default boolean broadcasts() {
            return false;
        }

        /// Makes memory that so many can read.
        ///
        /// @throws IOException when there is none
        default Broadcast.Ground broadcast(int readers) throws IOException {
            throw new IOException("this driver has no memory that many can read");
        }

        /// Where the broadcast ring is that the other end tells of; null: it cannot be seen here.
        default @Nullable RingSite find(MemorySegment memory, long at, int length) {
            return null;
        }

        /// Gives everything back to the system.
        void close();
    }

    /// Looks in a row that took in rings while nothing moved: an end of ours rings once for each
    /// sleep, when it has sent or taken something.
    private static final int MOST_IDLE_RINGS = 1 << 16;

    private final Peer peer;
    private final RingSink sink;
    private final RingSource source;
    private volatile boolean heard;
    private volatile @Nullable String broken;
    private volatile boolean closed;

    /// What had moved in both directions at the last rings, and looks since then; two threads may
    /// count at once, and then it is a little less.
    private long moved;

    private int idleRings;

    /// Joins two rings, each written at one end and read at the other.
    public RingLink(RingWriter out, RingReader in, Peer peer) {
        this.peer = peer;
        this.sink = new RingSink(out, this);
        this.source = new RingSource(in, this);
        out.answers(in);
        if (peer.broadcasts()) {
            in.guide(peer::find);
        }
    }

    @Override
    public FrameSink sink() {
        return sink;
    }

    @Override
    public FrameSource source() {
        return source;
    }

    /// Wakes this end's sleepers: called by the other end of a link inside one process.
    public void ring() {
        sink.ringBell();
        source.ringBell();
    }

    /// The other end has rung, or is gone: to be seen at the next look. For a driver whose channel
    /// no selector takes.
    public void heard() {
        heard = true;
        ring();
    }

    /// Whether there is something to see that no selector tells of.
    boolean hasHeard() {
        return heard;
    }

    /// Marks the link broken, for the reason given, and wakes this end's sleepers. The first reason
    /// stays.
    public void broken(String why) {
        synchronized (this) {
            if (broken == null) {
                broken = why;
            }
        }
        ring();
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        broken("the link was closed at this end");
        peer.close();
    }

    void wakePeer() {
        peer.wake();
    }

    boolean reserve(RingPlace place) {
        return peer.reserve(place);
    }

    @Nullable ReadyBit announced() {
        return peer.announced();
    }

    boolean broadcasts() {
        return peer.broadcasts();
    }

    Broadcast.Ground broadcast(int readers) throws IOException {
        return peer.broadcast(readers);
    }

    @Nullable SelectableChannel channel() {
        return peer.channel();
    }

    /// Why the peer is gone, as far as is known without asking the system.
    @Nullable String reason() {
        return broken;
    }

    /// Takes in what the peer rang and sees whether it lives. The reader's and the writer's waiter
    /// sleep on one channel, so one may take in the ring meant for the other: whoever took one in
    /// looks again, and makes the other look again if it sleeps.
    ///
    /// @param who looks: the sink or the source
    ///
    /// @return whether the peer had rung
    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    boolean look(Object who) {
        if (closed) {
            return false;
        }
        boolean told = heard;
        heard = false;
        int rings = peer.drain();
        if (rings < 0) {
            broken("the peer's end of the connection is gone");
        } else if (rings > 0) {
            if (told) {
                heard = true; // there may be more, and no selector says so
            }
            countIdle();
            if (who == source) {
                sink.ringSleeper();
            } else {
                source.ringSleeper();
            }
        }
        return rings > 0;
    }

    /// A peer that rings without end would keep a core of this process busy.
    private void countIdle() {
        long now = source.moved() + sink.moved();
        if (now != moved) {
            moved = now;
            idleRings = 0;
        } else if (++idleRings > MOST_IDLE_RINGS) {
            broken("the peer rings without end, and neither sends nor takes anything");
        }
    }

    /// The memory did not obey the rules of a ring, or was taken away, by a close or by a file that
    /// was cut short (the JVM's way to say that is an InternalError): ends the link.
    LinkBroken violated(Throwable e) {
        broken(
                e instanceof InternalError
                        ? LinkBroken.CUT
                        : "the peer broke the ring's rules: "
                                + e.getMessage()
                                + "; the link was closed");
        close();
        return new LinkBroken(String.valueOf(broken), e);
    }
}
