package org.ibidem.messaging;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.InTime;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Who reads the answers of a caller: one of those that wait for one reads for all of them, in its
/// own thread, so that nobody need be woken where only one waits. While there are calls for which
/// nobody waits, a task reads.
final class Answers {
    /// How soon one who reads sees that its call is over for another reason than an answer.
    private static final Duration LOOK = Duration.ofMillis(50);

    private final ReceivePort in;
    private final Consumer<ReadMessage> taken;
    private final Function<ReadMessage, Opened> opened;
    private final Tasks tasks;

    /// Whoever has it reads.
    private final Semaphore reading = new Semaphore(1);

    private final Set<Call<?>> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean task = new AtomicBoolean();

    /// An answer of which the beginning is read.
    ///
    /// @param call which it answers; null: nobody's any more
    /// @param rest reads and takes the rest
    record Opened(@Nullable Call<?> call, Runnable rest) {}

    /// @param taken takes an answer
    /// @param opened reads the beginning of one that is not all here
    Answers(
            ReceivePort in,
            Consumer<ReadMessage> taken,
            Function<ReadMessage, Opened> opened,
            Tasks tasks) {
        this.in = in;
        this.taken = taken;
        this.opened = opened;
        this.tasks = tasks;
    }

    /// Waits until a call is over.
    ///
    /// @return false: its deadline has passed
    boolean await(Call<?> call) {
        while (!call.isOver()) {
            long left = call.left(tasks);
            if (left <= 0) {
                return false;
            }
            if (reading.tryAcquire()) {
                boolean reads = true;
                try {
                    reads = readUntil(call, left);
                } finally {
                    if (reads) {
                        leave();
                    }
                }
            } else {
                follow(call, left);
            }
        }
        return true;
    }

    /// @return false: a task reads now, and lets others read after it
    private boolean readUntil(Call<?> call, long first) {
        long left = first;
        while (!call.isOver() && left > 0) {
            if (!read(Call.atMost(left, LOOK), call)) {
                return false;
            }
            left = call.isOver() ? 0 : call.left(tasks);
        }
        return true;
    }

    private boolean read(Duration limit, Call<?> call) {
        try {
            var message = in.receive(limit);
            if (message != null && message.size() < 0) {
                return readRest(message, call);
            }
            try (message) {
                if (message != null) {
                    taken.accept(message);
                }
            }
        } catch (MessageAbandoned _) {
            // what follows says why, or its caller waits in vain
        }
        return true;
    }

    /// Of a message that is not all here the rest may never come: its server may be stopped. What
    /// another call waits for is not read by this thread, whose own time may be over before, and
    /// which may be interrupted.
    private boolean readRest(ReadMessage message, Call<?> call) {
        try {
            var answer = opened.apply(message);
            var other = answer.call();
            if (other != null && other != call) {
                tasks.start("rest of an answer", () -> readFor(other, message, answer.rest()));
                return false;
            }
            readInTime(message, call, answer.rest());
            return true;
        } catch (RuntimeException | Error e) {
            message.close();
            throw e;
        }
    }

    private void readFor(Call<?> other, ReadMessage message, Runnable rest) {
        try {
            readInTime(message, other, rest);
        } catch (IbidemException _) {
            // who waits is told by what follows
        } finally {
            leave();
        }
    }

    private void readInTime(ReadMessage message, Call<?> call, Runnable rest) {
        var left = Duration.ofNanos(Math.max(1, call.left(tasks)));
        InTime.run(
                tasks,
                left,
                "limit of " + call,
                () -> {
                    try (message) {
                        rest.run();
                    }
                });
    }

    private void read(Duration limit) {
        try (var message = in.receive(limit)) {
            if (message != null) {
                taken.accept(message);
            }
        } catch (MessageAbandoned _) {
            // what follows says why, or its caller waits in vain
        }
    }

    /// Lets another read.
    private void leave() {
        reading.release();
        if (waiting.isEmpty()) {
            return; // as mostly, without an iterator
        }
        for (var other : waiting) {
            if (!other.isOver()) {
                other.wake();
                return;
            }
        }
    }

    private void follow(Call<?> call, long left) {
        call.waitsIn(Thread.currentThread());
        waiting.add(call);
        try {
            if (!call.isOver() && isRead()) {
                LockSupport.parkNanos(call, Math.min(left, LOOK.toNanos()));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterrupted();
            }
        } finally {
            waiting.remove(call);
            call.waitsIn(null);
            if (!isRead()) {
                wakeOther(); // it may have been this one's turn, who has gone
            }
        }
    }

    private boolean isRead() {
        return reading.availablePermits() == 0;
    }

    private void wakeOther() {
        for (var other : waiting) {
            other.wake();
            return;
        }
    }

    /// Has a task read while there are calls for which nobody may wait.
    void readFor(AtomicInteger calls) {
        if (!task.getAndSet(true)) {
            tasks.start("answers at " + in, () -> readWhile(calls));
        }
    }

    private void readWhile(AtomicInteger calls) {
        boolean goesOn = true;
        reading.acquireUninterruptibly();
        try {
            while (calls.get() > 0) {
                read(LOOK);
            }
        } catch (IbidemException _) {
            goesOn = false; // the port is closed, or this node; who waits is told so
        } finally {
            task.set(false);
            leave();
        }
        if (goesOn && calls.get() > 0) {
            readFor(calls);
        }
    }
}
