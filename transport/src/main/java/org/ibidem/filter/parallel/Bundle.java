package org.ibidem.filter.parallel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ibidem.link.Line;
import org.ibidem.link.Lower.Again;
import org.ibidem.link.StreamPath;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The connections that carry one stream, and what is under way on them. One lock for all of it;
/// nothing under it blocks. Whoever reads or writes moves everything on in passing; when nobody
/// does, the node does it as something comes, and every so often.
final class Bundle {
    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long TICK_BLOCKED = TimeUnit.MILLISECONDS.toNanos(5);

    /// After so long without bytes it stops looking.
    private static final long REST = TimeUnit.SECONDS.toNanos(1);

    final Side readable = new Side(this, this::canRead);
    final Side writable = new Side(this, this::canWrite);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Tasks tasks;
    private final Incoming incoming = new Incoming();
    private final Outgoing outgoing = new Outgoing();
    private final Seats seats;
    private final Frames frames;

    private Tasks.@Nullable Driven timer;
    private @Nullable Again again;
    private boolean rests;
    private long busyAt;

    /// The last write had no room.
    private boolean full;

    /// Why nothing comes and goes any more.
    private @Nullable String broken;

    /// It is that the other end's connections have ended.
    private boolean gone;

    /// Closed here; until when what is under way is still seen to.
    private boolean closed;

    private boolean saidEnd;
    private long lingerEnd;

    /// @param active whether this end makes the connections
    /// @param line what is known of the line, where what is learned of it goes
    Bundle(boolean active, Parallel options, Line line, Tasks tasks) {
        this.tasks = tasks;
        this.seats = new Seats(this, active, new Seats.Wish(options, line), tasks);
        this.frames = new Frames(incoming, outgoing, seats, tasks::nanoTime);
    }

    /// Begins with this connection; more come by `again`.
    void begin(StreamPath first, Again others) {
        locked(() -> {
            again = others;
            seats.first(first, others);
            timer = tasks.drive("parallel", this::tick);
            return true;
        });
    }

    <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }

    Seats seats() {
        return seats;
    }

    int read(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            if (closed) {
                throw new IOException("it was closed here");
            }
            int got = incoming.read(into);
            if (got == 0) {
                moveOn(tasks.nanoTime());
                got = incoming.read(into);
            }
            if (incoming.news()) {
                long now = tasks.nanoTime();
                send(now);
                busy(now); // a socket that took nothing of it is tried again
            }
            return got > 0 || !into.hasRemaining() ? got : ended();
        } finally {
            lock.unlock();
        }
    }

    /// @return 0: not ended; -1: ended
    private int ended() throws IOException {
        if (incoming.over() || gone) {
            return -1;
        }
        requireWhole();
        return 0;
    }

    int write(ByteBuffer from) throws IOException {
        lock.lock();
        try {
            requireUsable();
            long now = tasks.nanoTime();
            busy(now);
            int taken = outgoing.write(from);
            if (outgoing.next() != null || from.hasRemaining()) {
                moveOn(now);
                taken += outgoing.write(from);
            }
            requireWhole();
            full = from.hasRemaining();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /// What was written leaves without anybody's help, as it does from a kernel: so nobody waits
    /// for one connection while others have room.
    boolean flush() throws IOException {
        lock.lock();
        try {
            requireUsable();
            outgoing.flush();
            send(tasks.nanoTime());
            if (!isOut()) {
                moveOn(tasks.nanoTime());
            }
            requireWhole();
            full = false;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void requireUsable() throws IOException {
        if (closed) {
            throw new IOException("it was closed here");
        }
        requireWhole();
    }

    private void requireWhole() throws IOException {
        if (broken != null) {
            throw new IOException(broken);
        }
    }

    /// Whether all that was flushed has left.
    private boolean isOut() {
        return outgoing.isSent() && seats.idle();
    }

    private boolean canRead() {
        return incoming.any() || incoming.over() || broken != null || closed;
    }

    private boolean canWrite() {
        boolean waits = full && outgoing.room() <= 0;
        return !waits || broken != null || closed;
    }

    /// As [org.ibidem.link.Link#drain].
    boolean drain(Duration limit) {
        lock.lock();
        try {
            long deadline = tasks.deadline(limit);
            while (closed ? again != null : !outgoing.isHad() && broken == null) {
                long left = deadline - tasks.nanoTime();
                if (left <= 0) {
                    return false;
                }
                boolean _ = changed.await(Math.min(left, TICK), TimeUnit.NANOSECONDS);
            }
            return outgoing.isHad();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something has changed, or a moment.
    @SuppressWarnings("WaitNotInLoop") // who calls it looks again, in a loop
    void await() throws IOException {
        lock.lock();
        try {
            boolean _ = changed.await(TICK, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            lock.unlock();
        }
    }

    /// Takes what has come, and sends what can be.
    private void moveOn(long now) {
        for (var strand : seats.all()) {
            takeFrom(strand, now);
        }
        send(now);
    }

    private void takeFrom(Strand strand, long now) {
        try {
            if (frames.take(strand, now)) {
                busy(now);
            }
        } catch (Violation e) {
            fail(e.getMessage() + "; the connections were closed");
            seats.reset();
        } catch (IOException e) {
            seats.lose(strand, now);
        }
        wake();
    }

    private void send(long now) {
        frames.send(now, TICK);
        wake();
    }

    private void wake() {
        if (broken == null && seats.none()) {
            gone = true;
            fail("the last of its connections has ended");
        }
        readable.wake();
        writable.wake();
        changed.signalAll();
    }

    private void fail(String why) {
        if (broken == null) {
            broken = why;
        }
    }

    /// There is something to look after.
    private void busy(long now) {
        busyAt = now;
        if (rests && timer != null) {
            rests = false;
            timer.soon();
        }
    }

    /// Something has come on this one.
    void heard(Strand strand) {
        locked(() -> {
            long now = tasks.nanoTime(); // not from before the lock: round trips would be too short
            takeFrom(strand, now);
            send(now);
            end(now);
            return true;
        });
    }

    /// Connections have come or gone.
    void changed(long now) {
        locked(() -> {
            busy(now);
            send(now);
            return true;
        });
    }

    private long tick(long asked) {
        return locked(() -> {
            long now = Math.max(asked, tasks.nanoTime());
            moveOn(now);
            seats.look(now);
            end(now);
            if (broken != null && (closed || seats.none())) {
                return Progress.IDLE;
            }
            boolean blocked = !seats.idle() || outgoing.next() != null;
            seats.measure(now, outgoing.arrived(), blocked);
            if (blocked) {
                return TICK_BLOCKED;
            }
            rests = now - busyAt > REST && outgoing.isHad() && !closed && seats.quiet();
            return rests ? Progress.IDLE : TICK;
        });
    }

    /// Nothing is taken any more. What was sent is seen to until the other end has it: it may still
    /// be on a connection that gets lost, and a connection that is closed with something unread
    /// takes with it what the other end has not read.
    void close() {
        locked(() -> {
            if (!closed) {
                closed = true;
                outgoing.flush();
                incoming.discard();
                lingerEnd = tasks.deadline(LINGER);
                long now = tasks.nanoTime();
                busy(now);
                send(now);
                end(now);
                wake();
            }
            return true;
        });
    }

    void tune(int send, int receive) throws IOException {
        lock.lock();
        try {
            seats.tune(send, receive);
        } finally {
            lock.unlock();
        }
    }

    /// Ends our direction: what was written before arrives.
    void endOutgoing() {
        locked(() -> {
            outgoing.flush();
            send(tasks.nanoTime());
            frames.sayEnd();
            return true;
        });
    }

    /// Sees to the end of what was closed here.
    private void end(long now) {
        if (!closed || again == null) {
            return;
        }
        if (!saidEnd && isOut()) {
            saidEnd = true;
            frames.sayEnd();
            send(now);
        }
        boolean had = saidEnd && outgoing.isHad() && seats.idle();
        if (had || broken != null || now - lingerEnd >= 0) {
            fail("it was closed here");
            seats.close();
            again.close();
            again = null;
            stop(timer);
        }
    }

    /// One has ended, and perhaps with it what it had to carry: these, and how much the other end
    /// may send.
    void sendAgain(Iterable<Strand.Span> spans) {
        outgoing.again(spans);
        incoming.tellAgain();
    }

    /// Not in this thread, which may be one that drives.
    void stop(Tasks.@Nullable Driven driven) {
        if (driven == null) {
            return;
        }
        try {
            tasks.start("parallel ends", driven::stop);
        } catch (IllegalStateException _) {
            // this node is going down, and drives nothing any more
        }
    }

    void reset() {
        locked(() -> {
            closed = true;
            fail("it was closed here");
            seats.reset();
            end(tasks.nanoTime());
            wake();
            return true;
        });
    }

    /// Closed at one end, or broken: no connection is added any more.
    boolean isOver() {
        return locked(() -> closed || broken != null || incoming.ends());
    }

    boolean isOpen() {
        return locked(() -> !closed);
    }
}
