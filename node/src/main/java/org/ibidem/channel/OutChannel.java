package org.ibidem.channel;

import java.time.Duration;
import org.ibidem.link.FrameSink;
import org.ibidem.peer.Course;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A channel at its sending end: one direction of a data link.
public final class OutChannel {
    private final Channels channels;
    private final DataLink link;
    private final FrameSink sink;
    private final int id;
    private volatile String kind = "";
    private volatile String serves = "";
    private volatile @Nullable String closed;
    private volatile Runnable whenClosed = () -> {};
    private volatile boolean inOrder;
    private volatile boolean givenUp;
    private boolean ended;

    OutChannel(Channels channels, DataLink link, FrameSink sink, int id) {
        this.channels = channels;
        this.link = link;
        this.sink = sink;
        this.id = id;
    }

    /// Where frames go.
    public FrameSink sink() {
        return sink;
    }

    /// Who is at the other end.
    public NodeId peer() {
        return link.peer;
    }

    /// Says what it serves, for people who ask what goes to the peer now: a name mostly, in quotes.
    public void serves(String what) {
        serves = what;
    }

    /// From now on it counts among those of this kind.
    OutChannel of(String name) {
        kind = name;
        return this;
    }

    /// The kind of receiver it was opened to.
    public String kind() {
        return kind;
    }

    /// What it serves, the stack of its link, and how that was made.
    public String inWords() {
        return (serves.isEmpty() ? "" : serves + " ") + "over " + link.stack + course();
    }

    /// The course that its data takes.
    public Course course() {
        return link.course(channels.tasks().nanoTime());
    }

    /// The receiver's number for it.
    public int id() {
        return id;
    }

    DataLink link() {
        return link;
    }

    /// Why the receiver wants no more, or the link is gone; null while all is well.
    public @Nullable String closedBecause() {
        return closed;
    }

    /// Called once, from another thread, when [#closedBecause] is no longer null.
    public void whenClosed(Runnable action) {
        whenClosed = action;
        if (closed != null) {
            action.run();
        }
    }

    /// Whether it was the receiver who closed it, and nothing broke.
    public boolean closedInOrder() {
        return inOrder;
    }

    void over(String why) {
        closed = closed == null ? why : closed;
    }

    /// The receiver says that it wants no more.
    void closedByReceiver(String why) {
        inOrder = closed == null;
        over(why);
    }

    void ring() {
        whenClosed.run();
    }

    /// The frame that says END is on its way: the direction may serve another channel. The receiver
    /// is told as well, who may not be reading, or may never get that frame.
    public void ended() {
        synchronized (this) {
            ended = true;
        }
        channels.tellDone(link.peer, id);
    }

    /// Waits until what was pushed arrives, whatever becomes of this process: as
    /// [org.ibidem.link.Link#drain].
    public boolean drain(Duration limit) {
        return link.drain(limit);
    }

    /// The sink reported a broken link. The cause may also be that the receiver closed the channel.
    ///
    /// @param why as it said
    public void broken(String why) {
        if (inOrder || givenUp) {
            giveUp(why);
        } else {
            channels.lost(link, why);
        }
    }

    /// This end gives the channel up without an end, and the receiver is told. Nobody gets this
    /// direction any more; the other one may be another's, and stays. One that has ended is not
    /// given up: its receiver may not know it any more, and this direction serves others.
    ///
    /// @param why for people
    public void giveUp(String why) {
        synchronized (this) {
            if (givenUp || ended) {
                return;
            }
            givenUp = true;
        }
        channels.givenUp(this, why);
    }

    /// Whether this end gave it up: nothing that is written now will be read.
    public boolean isGivenUp() {
        return givenUp;
    }

    /// Nobody uses it any more. One that was not ended is given up: the receiver could not tell
    /// where the next one begins.
    public void detached() {
        giveUp("its sender left it without an end"); // unless it has ended
        channels.detached(this);
    }
}
