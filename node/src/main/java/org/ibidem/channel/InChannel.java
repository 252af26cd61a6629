package org.ibidem.channel;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A channel at its receiving end: one direction of a data link.
public final class InChannel {
    /// What is on its way needs so long at most, where TCP has to send a packet a second time.
    private static final Duration LINGER = Duration.ofSeconds(1);

    /// Who drops what was sent waits with descriptors of his own: where thousands of channels are
    /// closed at once, the process would have none left. One that waits for a peer that is stopped
    /// does not hold up the others for ever.
    private static final Semaphore DRAINING = new Semaphore(256);

    private static final long TURN_SECONDS = 30;

    private final Channels channels;
    private final DataLink link;
    private final FrameSource source;
    private final int id;
    private volatile Runnable bell = () -> {};
    private volatile Runnable over = () -> {};
    private volatile @Nullable String gone;
    private volatile boolean done;
    private volatile boolean leaving;
    private volatile boolean givenUp;
    private Tasks.@Nullable Task linger;
    private long lingersUntil;

    InChannel(Channels channels, DataLink link, FrameSource source, int id) {
        this.channels = channels;
        this.link = link;
        this.source = source;
        this.id = id;
    }

    /// Where frames come from.
    public FrameSource source() {
        return source;
    }

    /// Who is at the other end.
    public NodeId peer() {
        return link.peer;
    }

    /// Whom to call, from another thread, when the sender has ended it, or the link was closed
    /// here, or may be about to: the reader should look again, and where nobody reads somebody
    /// else.
    public void whenClosed(Runnable action) {
        bell = action;
    }

    /// Why nothing can come any more, although the link may not say so itself; null while all is
    /// well. What came before can still be polled.
    public @Nullable String goneBecause() {
        return gone;
    }

    /// Whom to call when it is over, however it ends.
    void whenOver(Runnable action) {
        over = action;
    }

    void gone(String why) {
        gone = gone == null ? why : gone;
    }

    void ring() {
        bell.run();
    }

    /// Its sender gave it up without an end. What came before can still be polled.
    void givenUp(String why) {
        givenUp = true;
        boolean _ = link.endsTowards();
        gone(why);
        ring();
    }

    /// Its sender has ended it; [#done] follows.
    void leaves() {
        leaving = true;
    }

    void done() {
        done = true;
        ring();
    }

    /// Whether the frame that says END may not come where there is one: then its sender says so
    /// another way, too, which may take a moment longer than the link lives.
    public boolean losesItsEnd() {
        return link.single;
    }

    /// Whether the sender has ended it, although the frame that says so may never come. What it
    /// sent before may still be on its way.
    public boolean isDone() {
        return done && link.single;
    }

    /// Whether it is known to be over, but for what was sent before.
    public boolean isLeaving() {
        return leaving || done || gone != null;
    }

    /// For the reader of a channel that [#isDone]: waits anew for what is on its way; it is rung
    /// when that was long enough.
    public void linger() {
        if (linger != null) {
            linger.stop();
        }
        var tasks = channels.tasks();
        lingersUntil = tasks.nanoTime() + LINGER.toNanos();
        try {
            linger = tasks.after(LINGER, "wait for the end of a channel", this::ring);
        } catch (IllegalStateException _) {
            lingersUntil = tasks.nanoTime(); // this node is going down
        }
    }

    /// Whether what has not come by now is lost.
    public boolean hasLingered() {
        return lingersUntil - channels.tasks().nanoTime() <= 0;
    }

    /// The frame that says END was read: the direction is free for another channel.
    public void ended() {
        over.run();
        if (link.single) {
            channels.broken(link, "its one channel is over");
        }
        channels.free(link);
    }

    /// The source said that the link is broken, or [#goneBecause] that the sender gave this
    /// direction up.
    ///
    /// @param why as it said
    public void broken(String why) {
        over.run();
        if (givenUp) {
            channels.free(link);
        } else {
            channels.lost(link, why);
            link.freeIncoming();
        }
    }

    /// This end gives it up, perhaps with a frame in another thread's hand: the sender is told, and
    /// nobody reads what still comes. The link's other direction may be another's, and stays.
    ///
    /// @param why for people
    public void giveUp(String why) {
        over.run();
        gone(why);
        ring();
        channels.givenUp(this, why);
    }

    DataLink link() {
        return link;
    }

    int id() {
        return id;
    }

    /// Tells the sender that nothing more is wanted, and drops what is still on its way.
    public void refuseRest(String why) {
        try {
            if (channels.tellClosed(link.peer, id, why)) {
                channels.tasks().start("drop what a closed port was sent", this::drain);
                return;
            }
        } catch (IllegalStateException _) {
            // this node is going down
        }
        broken(why); // the sender cannot be told in words
    }

    private void drain() {
        boolean turn = false;
        try {
            turn = DRAINING.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            broken("this node is going down"); // else all that wait for a turn had theirs at once
            return;
        }
        try {
            dropAll();
        } finally {
            if (turn) {
                DRAINING.release();
            }
        }
    }

    private void dropAll() {
        try (var waiter = new Waiter(WaitPolicy.SLEEP)) {
            if (source instanceof Waitable sleepy) {
                waiter.add(sleepy);
            }
            bell = waiter::ring;
            var frame = new Frame();
            while (true) {
                while (!source.poll(frame)) {
                    if (isDone()) {
                        frame.flags = Frame.END;
                        break;
                    }
                    var why = gone;
                    if (why != null) {
                        throw new LinkBroken(why);
                    }
                    waiter.idle(Long.MAX_VALUE);
                }
                if ((frame.flags & Frame.END) != 0) {
                    break;
                }
            }
            source.release();
            if (source instanceof Waitable sleepy) {
                waiter.remove(sleepy);
            }
            ended();
        } catch (LinkBroken e) {
            broken(String.valueOf(e.getMessage()));
        } catch (InternalError e) { // of memory that was cut short, told late
            broken(String.valueOf(LinkBroken.cut(e).getMessage()));
        }
    }
}
