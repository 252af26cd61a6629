package org.ibidem.connect.routed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.buffer.ByteQueue;
import org.ibidem.buffer.Malformed;
import org.ibidem.link.BargingLock;
import org.ibidem.topology.NodeId;
import org.ibidem.wait.Signal;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// One stream of a trunk: what waits to be read here, what waits to be sent, and how much the peer
/// may still be sent.
///
/// Its lock is held before that of a trunk, never the other way round.
final class RoutedStream {
    /// Bytes the peer may send before they are read here, at most.
    static final int WINDOW = 1 << 20;

    /// The share of the window that is granted again when it was read.
    private static final int GRANT_PART = 4;

    /// Bytes that wait here for the peer's credit.
    private static final int MOST_WAITING = 256 << 10;

    /// The most that one stream writes at a time: GRANT, DATA, END and RESET.
    static final int LARGEST_TURN =
            4 * RoutedFrames.HEADER
                    + Integer.BYTES
                    + RoutedFrames.MOST_DATA
                    + RoutedFrames.LONGEST_REASON;

    /// How long bytes written before a close are tried to be sent.
    private static final Duration LINGER = Duration.ofSeconds(10);

    private final Carrier carrier;
    private final int number;
    private final NodeId peer;

    private final ReentrantLock lock = new BargingLock();
    private final Condition changed = lock.newCondition();
    private final int window;
    private final ByteQueue in;
    private final ByteQueue out;
    private final Signal reading = new Signal(lock, this::nothingToRead);
    private final Signal writing = new Signal(lock, this::noRoom);

    /// What the peer may still be sent, and what was read here and not granted again.
    private long credit;

    private int consumed;

    private boolean answered;
    private boolean ended;
    private boolean endSent;
    private boolean peerEnded;
    private boolean closed;
    private boolean deaf;
    private boolean over;
    private boolean dropped;
    private @Nullable String why;
    private volatile Runnable signs = () -> {};

    /// @param window bytes the peer may send before they are read here
    /// @param credit what it has granted
    RoutedStream(Carrier carrier, int number, NodeId peer, int window, int credit) {
        this.carrier = carrier;
        this.number = number;
        this.peer = peer;
        this.window = window;
        this.in = new ByteQueue(window, carrier.keeps());
        this.out = new ByteQueue(MOST_WAITING, carrier.keeps());
        this.credit = credit;
        this.answered = credit > 0;
    }

    int number() {
        return number;
    }

    int window() {
        return window;
    }

    NodeId peer() {
        return peer;
    }

    NodeId me() {
        return carrier.me();
    }

    /// Whether through the hub.
    boolean routed() {
        return carrier.leadsOn();
    }

    // For the program's threads.

    int read(ByteBuffer into, boolean wait) throws IOException, InterruptedException {
        enter(wait);
        try {
            while (true) {
                if (closed) {
                    throw new ClosedChannelException();
                }
                if (deaf) {
                    return -1;
                }
                int got = in.get(into, Integer.MAX_VALUE);
                if (got > 0 || !into.hasRemaining()) {
                    consumed(got);
                    return got;
                }
                if (peerEnded) {
                    return -1;
                }
                if (over) {
                    throw new IOException(why);
                }
                if (!wait) {
                    return 0;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Who does not wait is not interrupted, as with sockets.
    private void enter(boolean wait) throws InterruptedException {
        if (wait) {
            lock.lockInterruptibly();
        } else {
            lock.lock();
        }
    }

    private void consumed(int bytes) {
        consumed += bytes;
        if (consumed >= window / GRANT_PART && !peerEnded && !over) {
            carrier.ready(this);
        }
    }

    int write(ByteBuffer from, boolean wait) throws IOException, InterruptedException {
        enter(wait);
        try {
            int all = 0;
            while (true) {
                if (closed || ended) {
                    throw new ClosedChannelException();
                }
                if (over) {
                    throw new IOException(why);
                }
                boolean waited = out.size() > 0;
                int taken = out.put(from);
                all += taken;
                if (taken > 0 && !waited && credit > 0) {
                    carrier.ready(this);
                }
                if (!from.hasRemaining() || !wait) {
                    return all;
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Ends our direction, once what waits is sent.
    void end() {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                carrier.ready(this);
            }
        } finally {
            lock.unlock();
        }
    }

    /// What comes from now on is dropped.
    void readNoMore() {
        lock.lock();
        try {
            deaf = true;
            consumed(in.size());
            in.clear();
            reading.ring();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            ended = true;
            readNoMore();
            changed.signalAll();
            reading.ring();
            writing.ring();
            if (!over) {
                carrier.ready(this);
                carrier.later(LINGER, this::giveUp);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Nobody takes the last words.
    private void giveUp() {
        lock.lock();
        try {
            dropOutgoing();
            endSent = true;
            carrier.ready(this);
        } finally {
            lock.unlock();
        }
    }

    private void dropOutgoing() {
        dropped |= out.size() > 0;
        out.clear();
        changed.signalAll();
    }

    /// As [org.ibidem.link.Link#drain]: the trunk's other end has acknowledged it. A hub keeps it
    /// for its receiver, whatever becomes of this end.
    boolean drain(Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while ((closed ? !endSent : out.size() > 0) && !over && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (dropped || (closed ? !endSent : out.size() > 0)) {
                return false;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
        return carrier.confirmed(Duration.ofNanos(Math.max(0, left)));
    }

    /// Waits until the other end has taken the stream.
    ///
    /// @throws IOException when it will not
    void awaitAnswer(Duration limit) throws IOException, InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (!answered) {
                if (over) {
                    throw new IOException(why);
                }
                if (left <= 0) {
                    throw new IOException("did not answer in time");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    // For the trunk's reader.

    void granted(int bytes) {
        lock.lock();
        try {
            if (credit + bytes > RoutedFrames.MOST_CREDIT) {
                throw new Malformed("more is granted on stream " + number + " than may be");
            }
            credit += bytes;
            answered = true;
            changed.signalAll();
            if (out.size() > 0) {
                carrier.ready(this);
            }
        } finally {
            lock.unlock();
        }
    }

    /// @throws Malformed when it is more than was granted
    void arrived(ByteBuffer bytes) {
        lock.lock();
        try {
            if (bytes.remaining() > window - in.size() - consumed || peerEnded) {
                throw new Malformed(
                        "more came on stream " + number + " than was granted, or after its end");
            }
            if (deaf) {
                consumed(bytes.remaining());
                bytes.position(bytes.limit());
            } else {
                in.put(bytes);
                changed.signalAll();
                reading.ring();
            }
        } finally {
            lock.unlock();
        }
    }

    void peerEnded() {
        lock.lock();
        try {
            peerEnded = true;
            changed.signalAll();
            reading.ring();
            forget();
        } finally {
            lock.unlock();
        }
    }

    /// It is over, whatever was sent or not.
    void reset(String reason) {
        lock.lock();
        try {
            if (!over) {
                over = true;
                why = reason;
                dropOutgoing();
                changed.signalAll();
                reading.ring();
                writing.ring();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Who is told of signs of life of the trunk's other end.
    void onSign(Runnable told) {
        signs = told;
    }

    /// Something came over the trunk.
    void sign() {
        signs.run();
    }

    // For the trunk's writer.

    /// Puts what is to be sent now into `batch`, at most one frame of data.
    ///
    /// @param batch with room for [#LARGEST_TURN]
    /// @return whether there is more to send at once
    boolean fill(ByteBuffer batch) {
        lock.lock();
        try {
            if (over) {
                return false;
            }
            if (consumed >= window / GRANT_PART && !peerEnded) {
                batch.put(RoutedFrames.grant(number, consumed));
                consumed = 0;
            }
            fillData(batch);
            if (ended && out.size() == 0 && !endSent) {
                endSent = true;
                changed.signalAll();
                batch.put(RoutedFrames.bare(RoutedFrames.END, number));
            }
            if (closed && endSent && !peerEnded) {
                over = true;
                why = "it was closed at this end";
                batch.put(RoutedFrames.reset(number, "the other end has closed it"));
            }
            forget();
            return out.size() > 0 && credit > 0;
        } finally {
            lock.unlock();
        }
    }

    private void fillData(ByteBuffer batch) {
        int length = (int) Math.min(Math.min(out.size(), credit), RoutedFrames.MOST_DATA);
        if (length > 0) {
            batch.putInt(RoutedFrames.word(RoutedFrames.DATA, length)).putInt(number);
            out.get(batch, length);
            credit -= length;
            changed.signalAll();
            writing.ring();
        }
    }

    private void forget() {
        if (over || (peerEnded && endSent)) {
            carrier.forget(this);
        }
    }

    // For waiters.

    Waitable reading() {
        return reading;
    }

    Waitable writing() {
        return writing;
    }

    private boolean nothingToRead() {
        return in.size() == 0 && !peerEnded && !isOver() && !deaf;
    }

    private boolean noRoom() {
        return out.room() == 0 && !isOver();
    }

    private boolean isOver() {
        return closed || over;
    }
}
