package org.ibidem.control;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The messages of a control link that have come and are not taken yet, and after the last of them
/// how the link has ended. One thread adds, one takes.
///
/// It is full when it keeps as many bytes as the longest message has; one more is kept all the
/// same.
final class Inbox {
    /// What a message takes besides its bytes, about.
    private static final int OVERHEAD = 64;

    private final int most;
    private final Runnable room;
    private final Queue<byte[]> messages = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private volatile @Nullable Ending ending;
    private volatile boolean closed;
    private volatile @Nullable Thread receiver;

    /// @param most it is full with so many bytes
    /// @param room run when it is full no longer
    Inbox(int most, Runnable room) {
        this.most = most;
        this.room = room;
    }

    void add(byte[] message) {
        bytes.addAndGet(message.length + OVERHEAD);
        messages.add(message);
        LockSupport.unpark(receiver);
    }

    boolean isFull() {
        return bytes.get() >= most;
    }

    /// Nothing comes after what has come.
    void end(Ending how) {
        ending = how;
        LockSupport.unpark(receiver);
    }

    /// How the link has ended, once all that came before was taken.
    @Nullable Ending ending() {
        var how = ending; // read first: what came before it is there then
        return messages.isEmpty() ? how : null;
    }

    /// Nobody takes anything from now on.
    void close() {
        closed = true;
        messages.clear();
        LockSupport.unpark(receiver);
    }

    /// The next message, or null: there is none now.
    byte @Nullable [] poll() {
        var message = messages.poll();
        if (message != null) {
            long size = (long) message.length + OVERHEAD;
            long before = bytes.getAndAdd(-size);
            if (before >= most && before - size < most) {
                room.run();
            }
        }
        return message;
    }

    /// Waits for the next message.
    ///
    /// @return null: none comes any more
    byte @Nullable [] take() throws InterruptedException {
        receiver = Thread.currentThread();
        try {
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                var next = poll();
                if (next != null || closed || ending() != null) {
                    return next;
                }
                LockSupport.park(this);
            }
        } finally {
            receiver = null;
        }
    }
}
