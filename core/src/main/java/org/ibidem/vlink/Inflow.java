package org.ibidem.vlink;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.ibidem.Visible;
import org.ibidem.arbitration.OwnSleep;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.ibidem.wait.Armed;
import org.ibidem.wait.DirectWait;
import org.jspecify.annotations.Nullable;

/// What comes. One frame at most is kept here, in the driver's memory; the others wait in the link.
final class Inflow extends Flow implements DirectWait.Source {
    private final InChannel channel;
    private final FrameSource source;
    private final Frame frame = new Frame();

    /// Called with a reset that came behind what was sent, by whoever found it.
    private volatile Consumer<VLinkFailed> whenReset = _ -> {};

    /// Set when it was closed urgently by the other end, before anybody hears of it.
    private volatile @Nullable VLinkFailed reset;

    /// Who reads looks again and again.
    private volatile boolean polled;

    /// The waiter of this direction that sleeps without the loop.
    private volatile @Nullable DirectWait direct;

    /// `direct` has it armed.
    private volatile boolean sleeps;

    /// Where a thread sleeps that reads and blocks.
    private @Nullable OwnSleep own;

    private boolean lent;

    /// The last look did not go on until there was nothing.
    private boolean more;

    private boolean ended;
    private boolean closed;
    private @Nullable VLinkFailed failed;

    Inflow(ReceiptLoop loop, InChannel channel) {
        super(loop, channel.source());
        this.channel = channel;
        this.source = channel.source();
        channel.whenClosed(this::look);
    }

    void polled(boolean yes) {
        polled = yes;
    }

    void whenReset(Consumer<VLinkFailed> told) {
        whenReset = told;
    }

    /// Reads what is there; 0: nothing now; -1: nothing any more.
    int read(ByteBuffer into) {
        lock.lock();
        try {
            int before = into.position();
            while (into.hasRemaining() && usable() && (lent || next())) {
                copy(into);
            }
            more = !into.hasRemaining();
            int done = into.position() - before;
            if (done > 0 || !into.hasRemaining()) {
                return done;
            }
            if (failed != null) {
                throw failed.again();
            }
            return ended || closed ? -1 : 0;
        } finally {
            lock.unlock();
        }
    }

    /// Sleeps in the thread that calls, which looks again then.
    ///
    /// @return false: this thread cannot
    boolean sleep(long nanos) {
        OwnSleep mine;
        lock.lock();
        try {
            if (over || lent) {
                return true;
            }
            if (own == null && traits().stays()) {
                own = OwnSleep.open(this);
            }
            mine = own;
        } finally {
            lock.unlock();
        }
        return mine != null && mine.sleep(nanos);
    }

    @Override
    public @Nullable Armed arm(DirectWait by) {
        lock.lock();
        try {
            if (over || mayHaveMore()) {
                return Armed.READY;
            }
            boolean mine = by.equals(direct);
            if (isWatched() || (sleeps && !mine)) {
                return null;
            }
            if (!sleeps) {
                takeFromLoop();
                if (!by.registers(lower().channel(), lower().interest())) {
                    return null;
                }
                direct = by;
                sleeps = true; // before it is said to the other side, which may ring
            }
            var now = lower().arm();
            if (now == Armed.READY) {
                wakes();
            }
            return now;
        } finally {
            lock.unlock();
        }
    }

    private void wakes() {
        sleeps = false;
        if (!over) { // else it may serve another
            lower().disarm();
        }
    }

    /// Where it was taken from him, what was rung for is the loop's.
    @Override
    public void disarm(DirectWait by) {
        lock.lock();
        try {
            boolean selected = by.wasSelected();
            if (sleeps && by.equals(direct)) {
                if (selected || traits().announces()) {
                    lower().ready();
                }
                wakes();
            }
        } finally {
            lock.unlock();
        }
    }

    /// From now on the loop notices what comes.
    @Override
    public void detach(DirectWait by) {
        boolean left = false;
        disarm(by);
        lock.lock();
        try {
            if (by.equals(direct) && !over) {
                direct = null;
                left = true;
            }
        } finally {
            lock.unlock();
        }
        if (left) {
            look();
        }
    }

    @Override
    void revoke() {
        if (wake()) {
            wakes();
        }
    }

    @Override
    boolean wake() {
        var mine = direct;
        if (mine == null || !sleeps) {
            return false;
        }
        mine.wakeup().run();
        return true;
    }

    private boolean usable() {
        return !closed && failed == null;
    }

    private void copy(ByteBuffer into) {
        int bytes = (int) Math.min(into.remaining(), frame.room());
        try {
            MemorySegment.copy(
                    frame.memory, frame.position, MemorySegment.ofBuffer(into), 0, bytes);
        } catch (InternalError e) { // of memory that was cut short
            broken(LinkBroken.cut(e));
            return;
        }
        into.position(into.position() + bytes);
        frame.position += bytes;
        if (frame.room() == 0) {
            giveBack();
        }
    }

    private void giveBack() {
        lent = false;
        try {
            source.release();
        } catch (LinkBroken e) {
            broken(e);
        }
    }

    /// Lends the next frame that has something in it.
    private boolean next() {
        try {
            while (!over) {
                if (!source.poll(frame)) {
                    var gone = channel.goneBecause();
                    if (gone == null) {
                        return false;
                    }
                    if (!source.poll(frame)) { // it may have come before that was known
                        throw new LinkBroken(gone); // a link may not notice it by itself
                    }
                }
                if ((frame.flags & Frame.END) != 0) {
                    end();
                    return false;
                }
                if (frame.room() > 0) {
                    lent = true;
                    return true;
                }
            }
        } catch (LinkBroken e) {
            broken(e);
        } catch (InternalError e) {
            broken(LinkBroken.cut(e));
        }
        return false;
    }

    private void end() {
        if ((frame.flags & Frame.ABANDONED) == 0) {
            ended = true;
        } else {
            var why = reset(Visible.of(new String(words(), StandardCharsets.UTF_8)));
            failed = why;
            reset = why;
            loop.later(() -> whenReset.accept(why));
        }
        source.release();
        finish(channel::ended);
    }

    /// Why the other end has closed it urgently, as far as what it sent says so; null: it has not.
    @Nullable VLinkFailed wasReset() {
        return reset;
    }

    static VLinkFailed reset(String why) {
        return new VLinkFailed(Kind.RESET, "reset by the other end: " + why);
    }

    private byte[] words() {
        return frame.memory.asSlice(frame.position, frame.room()).toArray(ValueLayout.JAVA_BYTE);
    }

    private void broken(LinkBroken e) {
        var why = String.valueOf(e.getMessage());
        failed = new VLinkFailed(Kind.BROKEN, why, e);
        finish(() -> channel.broken(why));
    }

    /// The channel is given up, by the loop.
    private void finish(Runnable last) {
        if (!over) {
            revoke();
            over = true;
            loop.remove(
                    this,
                    () -> {
                        leave();
                        last.run();
                    });
        }
    }

    private void leave() {
        lock.lock();
        try {
            if (direct != null) {
                direct.leave();
            }
            if (own != null) {
                own.close();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Nothing more is read, and what still comes is dropped.
    ///
    /// @param word told to whoever sends
    /// @param why what readers are told; null: that it has ended
    void close(String word, @Nullable VLinkFailed why) {
        lock.lock();
        try {
            if (failed == null) {
                failed = why;
            }
            closed = true;
            lent = false;
            finish(() -> channel.refuseRest(word));
        } finally {
            lock.unlock();
        }
        tellAll();
    }

    /// Who connected gave up before he used it.
    void cancelled() {
        lock.lock();
        try {
            closed = true;
            finish(channel::ended);
        } finally {
            lock.unlock();
        }
    }

    /// Bytes that can be read without waiting, as far as they are in the driver's memory.
    int available() {
        lock.lock();
        try {
            return usable() && (lent || peeked(next())) ? (int) frame.room() : 0;
        } finally {
            lock.unlock();
        }
    }

    /// Who waits for what this look has taken in would not hear of it.
    private boolean peeked(boolean found) {
        if (found && (isWatched() || sleeps)) {
            look();
        }
        return found;
    }

    boolean isOver() {
        lock.lock();
        try {
            return over && !lent;
        } finally {
            lock.unlock();
        }
    }

    boolean readable() {
        lock.lock();
        try {
            boolean had = lent;
            boolean ready = isReady();
            more &= ready;
            return had ? ready : peeked(ready);
        } finally {
            lock.unlock();
        }
    }

    @Override
    boolean mayHaveMore() {
        return lent || more;
    }

    @Override
    boolean isReady() {
        return lent || ended || !usable() || next() || ended || failed != null;
    }

    @Override
    boolean isAwaited() {
        boolean mayBe = !lent && !ended && usable() && !sleeps;
        return mayBe && (isWatched() || (!polled && direct == null));
    }
}
