package org.ibidem.filter.reliable;

import java.nio.channels.SelectableChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.buffer.Frame;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.task.Progress;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// One end of the filter: whoever polls, claims or pushes does what is due for both directions, and
/// when nobody does, the node's arbitration. What it says is sent by [Speech], what it hears goes
/// through [#pump].
final class ReliableLink implements FrameLink, Progress {
    /// Frames taken in one go.
    private static final int MOST_AT_ONCE = 64;

    /// How often it looks while somebody uses it or something is open.
    private static final long BEAT_NANOS = 2_000_000;

    private static final Duration LINGER = Duration.ofSeconds(10);
    private static final String CLOSED = "the link was closed at this end";

    private final FrameLink lower;
    private final FrameSource lowerSource;
    private final Waitable below;
    private final Tasks tasks;

    final ReentrantLock lock = new ReentrantLock();
    private final Condition pumped = lock.newCondition();
    final SendWindow sending;
    final ReceiveWindow receiving;
    final Speech speech;
    private final Frame in = new Frame();
    private final ReliableSink sink;
    private final ReliableSource source;
    private final Side reader = new Side(this);
    private final Side writer = new Side(this);
    private Tasks.@Nullable Driven driven;

    /// Somebody has used the link since the last beat.
    private volatile boolean attended = true;

    /// Nobody looks: what arrives has it looked at.
    private volatile boolean resting;

    private @Nullable LinkBroken broken;
    private boolean closed;
    private long lingersUntil;

    ReliableLink(FrameLink lower, int headerOffset, Reliable options, Tasks tasks) {
        this.lower = lower;
        this.lowerSource = lower.source();
        this.below = Waitable.of(lowerSource);
        this.tasks = tasks;
        int largest = lower.sink().largest();
        this.sending = new SendWindow(options.window(), headerOffset, largest);
        this.receiving = new ReceiveWindow(options.window(), largest - Header.BYTES);
        this.speech = new Speech(lower.sink(), headerOffset, sending, receiving, options.silence());
        this.sink = new ReliableSink(this, largest - Header.BYTES);
        this.source = new ReliableSource(this);
    }

    void begin() {
        below.bell(this::arrived);
        speech.heard(tasks.nanoTime());
        driven = tasks.drive("reliable frames", this);
    }

    @Override
    public FrameSink sink() {
        return sink;
    }

    @Override
    public FrameSource source() {
        return source;
    }

    @Override
    public DeliveryFaults delivery() {
        return DeliveryFaults.FAITHFUL;
    }

    Side reader() {
        return reader;
    }

    Side writer() {
        return writer;
    }

    Waitable below() {
        return below;
    }

    long now() {
        return tasks.nanoTime();
    }

    /// Somebody uses the link, and will look again soon.
    void attend() {
        if (!attended) {
            attended = true;
            soon();
        }
    }

    private void soon() {
        var mine = driven;
        if (mine != null) {
            mine.soon();
        }
    }

    /// Something has come; called by whoever took it from the network, with locks of its own held.
    private void arrived() {
        reader.ringIfArmed();
        writer.ringIfArmed();
        if (resting) {
            soon();
        }
    }

    /// Takes what has come, and does what is due. With the lock.
    void pump(long now) {
        if (broken != null) {
            return;
        }
        try {
            int taken = 0;
            while (taken < MOST_AT_ONCE && lowerSource.poll(in)) {
                take(now);
                taken++;
            }
            if (taken == MOST_AT_ONCE) {
                lowerSource.release();
            }
            speech.goOn(now);
        } catch (LinkBroken e) {
            broken = e;
            reader.ring();
            writer.ring();
        }
    }

    private void take(long now) {
        if (in.room() < Header.BYTES) {
            throw garbage("a frame of " + in.room() + " bytes");
        }
        var header = Header.read(in.memory, in.position);
        speech.heard(now);
        if (!speech.answered(header, now)) {
            throw garbage("an acknowledgement of what was never sent");
        }
        switch (header.kind()) {
            case Header.FRAME -> store(header, now);
            case Header.WORD -> {
                // it has said all
            }
            case Header.QUESTION -> speech.answerNow();
            default -> throw garbage("a frame of kind " + header.kind());
        }
        if (sink.mayGoOn()) {
            writer.ringIfArmed();
        }
    }

    private void store(Header header, long now) {
        int length = (int) in.room() - Header.BYTES;
        int expected = receiving.expected();
        if (receiving.wants(header.number(), length)) {
            long from = in.position + Header.BYTES;
            receiving.take(header.number(), header.flags(), in.memory, from, length);
            speech.owes(now);
        }
        boolean end = (header.flags() & Frame.END) != 0;
        if (header.number() != expected || end) {
            speech.answerNow(); // the other end may have to send something again, or waits for this
        }
        if (receiving.hasNext()) {
            reader.ringIfArmed();
        }
    }

    private LinkBroken garbage(String what) {
        lower.close();
        return new LinkBroken("the peer sent " + what + "; the link was closed");
    }

    /// With the lock.
    ///
    /// @throws LinkBroken when it is over
    void requireWhole() {
        if (closed) {
            throw new LinkBroken(CLOSED);
        }
        var why = broken;
        if (why != null) {
            throw new LinkBroken(String.valueOf(why.getMessage()), why);
        }
    }

    boolean isOver() {
        return closed || broken != null;
    }

    /// Whether there is what this side may wait for. With the lock.
    @SuppressWarnings("ReferenceEquality") // this one or the other
    boolean isReady(Side side) {
        return side == reader ? receiving.hasNext() : sink.mayGoOn();
    }

    @Override
    public long progress(long now) {
        long wait;
        boolean over;
        lock.lock();
        try {
            if (resting) {
                resting = false;
                disarm();
            }
            pump(now);
            over = closed && (isOver(now) || broken != null);
            wait = over ? IDLE : rest(now);
        } finally {
            lock.unlock();
        }
        if (over) {
            end();
        }
        return wait;
    }

    private boolean isOver(long now) {
        return sending.allAcknowledged() || now - lingersUntil >= 0;
    }

    /// How long nothing is to be done.
    private long rest(long now) {
        if (broken != null) {
            return IDLE;
        }
        if (attended && !closed) {
            attended = false;
            return BEAT_NANOS;
        }
        if (speech.isOpen()) {
            return beat(now);
        }
        resting = true;
        var armed = below.arm();
        if (armed != Armed.SLEEP) {
            resting = false;
            disarm();
        }
        return switch (armed) {
            case READY -> 0;
            case SLEEP -> IDLE;
            case SLEEP_THEN_LOOK -> beat(now);
        };
    }

    private long beat(long now) {
        return Math.max(BEAT_NANOS / 2, Math.min(speech.left(now), BEAT_NANOS));
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return below.channel();
    }

    /// One of the sides is about to sleep.
    Armed arm() {
        return below.arm();
    }

    /// The part below is disarmed when nobody sleeps on it any more. With the lock.
    void disarm() {
        if (!reader.isArmed() && !writer.isArmed() && !resting) {
            below.disarm();
        }
    }

    @Override
    public boolean drain(Duration limit) {
        lock.lock();
        try {
            long deadline = tasks.deadline(limit);
            while (!sending.allAcknowledged() && broken == null) {
                long left = deadline - now();
                if (left <= 0) {
                    return false;
                }
                boolean _ = pumped.await(Math.min(left, BEAT_NANOS), TimeUnit.NANOSECONDS);
            }
            return sending.allAcknowledged();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// What was sent and not acknowledged is still seen to, for a while.
    @Override
    public void close() {
        boolean lingers;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            long now = now();
            pump(now);
            lingers = broken == null && !sending.allAcknowledged();
            lingersUntil = now + LINGER.toNanos();
            reader.ring();
            writer.ring();
        } finally {
            lock.unlock();
        }
        if (lingers) {
            soon();
        } else {
            end();
        }
    }

    private void end() {
        var mine = driven;
        if (mine != null) {
            mine.stop();
        }
        lower.close();
    }
}
