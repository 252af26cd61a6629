package org.ibidem.service;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// What waits to be written on a control link: a queue with bounds in messages and bytes, in front
/// of which a PING or a PONG may pass. Knows whether a writer is at work, so that there is at most
/// one and none in vain.
final class Outgoing {
    private static final byte[] NOTHING = {};

    private final int mostMessages;
    private final int mostBytes;
    private final Deque<ByteBuffer> queue = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int bytes;
    private boolean ping;
    private boolean pong;
    private boolean writing;
    private boolean last;
    private boolean closed;

    Outgoing(int mostMessages, int mostBytes) {
        this.mostMessages = mostMessages;
        this.mostBytes = mostBytes;
    }

    /// Queues a frame; false when it is over the bounds. One frame always fits. A closed queue
    /// swallows it: its link ends.
    boolean offer(ByteBuffer frame) {
        lock.lock();
        try {
            if (closed || last) {
                return true;
            }
            if (!queue.isEmpty()
                    && (queue.size() >= mostMessages || bytes + frame.remaining() > mostBytes)) {
                return false;
            }
            add(frame);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Queues the last frame of all, over the bounds if need be.
    void last(ByteBuffer frame) {
        lock.lock();
        try {
            add(frame);
            last = true;
        } finally {
            lock.unlock();
        }
    }

    /// Has a PING or a PONG pass in front; twice the same is once.
    void prompt(int kind) {
        lock.lock();
        try {
            ping |= kind == ControlFrames.PING;
            pong |= kind == ControlFrames.PONG;
        } finally {
            lock.unlock();
        }
    }

    /// Must a writer be started now? True for one caller only, until that writer found nothing
    /// more.
    boolean needsWriter() {
        lock.lock();
        try {
            boolean needed = !writing && !closed && (ping || pong || !queue.isEmpty());
            writing |= needed;
            return needed;
        } finally {
            lock.unlock();
        }
    }

    /// The next frame to write; null: nothing more, and the writer must go.
    @Nullable ByteBuffer take() {
        lock.lock();
        try {
            if (closed || (!ping && !pong && queue.isEmpty())) {
                writing = false;
                changed.signalAll();
                return null;
            }
            if (ping || pong) {
                int kind = pong ? ControlFrames.PONG : ControlFrames.PING;
                ping = ping && pong;
                pong = false;
                return ControlFrames.frame(kind, NOTHING);
            }
            var next = queue.removeFirst();
            bytes -= next.remaining();
            return next;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until everything was written, for so long at most.
    ///
    /// @param tasks whose clock tells
    /// @return false when it was closed instead, or is not done
    boolean awaitEmpty(Tasks tasks, Duration limit) {
        lock.lock();
        try {
            long end = tasks.deadline(limit);
            long left = limit.toNanos();
            while (!closed && (writing || !queue.isEmpty()) && left > 0) {
                changed.awaitNanos(left);
                left = end - tasks.nanoTime();
            }
            return !closed && left > 0;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            bytes = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        lock.lock();
        try {
            return queue.size() + " messages with " + bytes + " bytes";
        } finally {
            lock.unlock();
        }
    }

    private void add(ByteBuffer frame) {
        queue.add(frame);
        bytes += frame.remaining();
    }
}
