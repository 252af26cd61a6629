package org.ibidem.control;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.link.BargingLock;
import org.jspecify.annotations.Nullable;

/// What waits to be written on a control link: a queue with bounds in messages and bytes, in front
/// of which a PING or a PONG may pass.
final class Outgoing {
    private static final byte[] NOTHING = {};

    private final int mostMessages;
    private final int mostBytes;
    private final Deque<ByteBuffer> queue = new ArrayDeque<>();
    private final ReentrantLock lock = new BargingLock();
    private int bytes;
    private boolean ping;
    private boolean pong;
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

    /// The next frame to write; null: nothing more now.
    @Nullable ByteBuffer take() {
        lock.lock();
        try {
            if (closed || (!ping && !pong && queue.isEmpty())) {
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

    /// Whether nothing waits to be written.
    boolean isEmpty() {
        lock.lock();
        try {
            return closed || (!ping && !pong && queue.isEmpty());
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
