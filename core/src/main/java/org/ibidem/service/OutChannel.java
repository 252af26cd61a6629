package org.ibidem.service;

import org.ibidem.link.FrameSink;
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

    String kind() {
        return kind;
    }

    /// What it serves, the stack of its link, and how that was made.
    String inWords() {
        return (serves.isEmpty() ? "" : serves + " ") + "over " + link.stack + course();
    }

    /// The course that its data takes.
    public Course course() {
        return link.course(channels.tasks().nanoTime());
    }

    /// The receiver's number for it.
    int id() {
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
        ended = true;
        channels.tellDone(link.peer, id);
    }

    /// This end gives the channel up without an end: the link goes.
    ///
    /// @param why for whoever uses its other direction
    public void broken(String why) {
        channels.lost(link, why);
    }

    /// Nobody uses it any more. A channel that was not ended takes its link with it: the receiver
    /// could not tell where the next one begins.
    public void detached() {
        channels.detached(this, ended);
    }
}
