package org.ibidem.connect.routed;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What a trunk has to send, in this order: words, which are short; what its node says to the hub
/// itself; then one frame of each stream in turn, as far as its [Backlog] lets.
///
/// Guarded by its trunk's lock, which whoever calls holds, but for [#fill].
final class Outbox {
    private final ReentrantLock lock;
    private final Condition answer;
    private final Backlog backlog;
    private final Deque<byte[]> words = new ArrayDeque<>();
    private final LinkedHashSet<RoutedStream> ready = new LinkedHashSet<>();
    private boolean asking;

    /// A batch has bytes of streams that the backlog does not count yet.
    private boolean filling;

    private long questions;
    private long answers;
    private volatile @Nullable RoutedStream first;

    Outbox(ReentrantLock lock, Backlog backlog) {
        this.lock = lock;
        this.answer = lock.newCondition();
        this.backlog = backlog;
    }

    /// This stream goes before all others, whatever is under way.
    void first(RoutedStream stream) {
        first = stream;
    }

    /// The stream that goes first, if one does.
    @Nullable RoutedStream first() {
        return first;
    }

    /// Something short.
    ///
    /// @return how many of these wait now
    int add(byte[] word) {
        words.add(word);
        return words.size();
    }

    /// It has something to send, or may have.
    void add(RoutedStream stream) {
        ready.add(stream);
        if (stream.equals(first)) {
            ready.addFirst(stream);
        }
    }

    /// The other end is to be asked whether it is there.
    void ask() {
        asking = true;
    }

    /// Waits until the other end has all that was put into a batch so far: it is asked, unless it
    /// was asked after that already. Takes the lock.
    ///
    /// @param start has the question written
    /// @param over whether no answer can come any more
    /// @return false: not within the limit, or it is over
    boolean confirmed(Duration limit, Runnable start, BooleanSupplier over) {
        long left = limit.toNanos();
        lock.lock();
        try {
            asking |= filling || !backlog.isMarked();
            long wanted = questions + (asking ? 1 : 0);
            start.run();
            while (answers < wanted && left > 0 && !over.getAsBoolean()) {
                left = answer.awaitNanos(left);
            }
            return answers >= wanted;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// It has said that it is, and so that all came which was sent before it was asked.
    void answered() {
        answers = Math.min(questions, answers + 1); // one that was not asked for says nothing
        backlog.answered();
        answer.signalAll();
    }

    /// No answer comes any more.
    void ended() {
        answer.signalAll();
    }

    /// Whether there is nothing that may be sent now.
    boolean isEmpty() {
        return words.isEmpty() && !asking && next(0) == null;
    }

    private @Nullable RoutedStream next(int more) {
        if (ready.isEmpty()) {
            return null;
        }
        var next = ready.getFirst();
        return next.equals(first) || more < backlog.room() ? next : null;
    }

    /// Puts what is to be sent now into `batch`, as far as it has room; takes the lock.
    void fill(ByteBuffer batch) {
        batch.clear().limit(batch.capacity() - RoutedFrames.HEADER); // there is room to ask
        lock.lock();
        try {
            filling = true;
            while (!words.isEmpty() && words.getFirst().length <= batch.remaining()) {
                batch.put(words.removeFirst());
            }
        } finally {
            lock.unlock();
        }
        int spoken = batch.position();
        while (batch.remaining() >= RoutedStream.LARGEST_TURN) {
            var stream = take(batch.position() - spoken);
            if (stream == null) {
                break;
            }
            // A stream's lock is held before that of its trunk.
            if (stream.fill(batch)) {
                putBack(stream);
            }
        }
        batch.limit(batch.capacity());
        askBehind(batch, batch.position() - spoken);
    }

    private @Nullable RoutedStream take(int more) {
        lock.lock();
        try {
            var next = next(more);
            return next == null ? null : ready.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    private void putBack(RoutedStream stream) {
        lock.lock();
        try {
            add(stream);
        } finally {
            lock.unlock();
        }
    }

    private void askBehind(ByteBuffer batch, int data) {
        lock.lock();
        try {
            filling = false;
            if (backlog.put(data) || asking) {
                asking = false;
                backlog.asked();
                questions++;
                batch.put(RoutedFrames.bare(RoutedFrames.PING, 0));
            }
        } finally {
            lock.unlock();
        }
    }
}
