package org.ibidem.messaging;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.InTime;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.link.Tasks;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;

/// Who reads the answers of a caller: one of those that wait for one reads for all of them, in its
/// own thread, so that nobody need be woken where only one waits. While there are calls for which
/// nobody waits, a task reads.
final class Answers {
    /// How soon one who reads sees that its call is over for another reason than an answer.
    private static final Duration LOOK = Duration.ofMillis(50);

    private final ReceivePort in;
    private final Consumer<ReadMessage> taken;
    private final Tasks tasks;

    /// Whoever has it reads.
    private final ReentrantLock reading = new ReentrantLock();

    private final Set<Call<?>> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean task = new AtomicBoolean();

    Answers(ReceivePort in, Consumer<ReadMessage> taken, Tasks tasks) {
        this.in = in;
        this.taken = taken;
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
            if (reading.tryLock()) {
                try {
                    readUntil(call, left);
                } finally {
                    leave();
                }
            } else {
                follow(call, left);
            }
        }
        return true;
    }

    private void readUntil(Call<?> call, long first) {
        long left = first;
        while (!call.isOver() && left > 0) {
            read(Call.atMost(left, LOOK), call);
            left = call.isOver() ? 0 : call.left(tasks);
        }
    }

    /// @param call for which this thread waits, whatever becomes of the message
    private void read(Duration limit, Call<?> call) {
        try (var message = in.receive(limit)) {
            if (message == null) {
                return;
            }
            if (message.size() >= 0) {
                taken.accept(message);
            } else {
                readInTime(message, call);
            }
        } catch (MessageAbandoned _) {
            // what follows says why, or its caller waits in vain
        }
    }

    /// Of a message that is not all here the rest may never come: its server may be stopped.
    private void readInTime(ReadMessage message, Call<?> call) {
        var left = Duration.ofNanos(Math.max(1, call.left(tasks)));
        InTime.run(
                tasks,
                left,
                "limit of " + call,
                () -> {
                    try (message) {
                        taken.accept(message);
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
        reading.unlock();
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
            if (!call.isOver() && reading.isLocked()) {
                LockSupport.parkNanos(call, Math.min(left, LOOK.toNanos()));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterrupted();
            }
        } finally {
            waiting.remove(call);
            call.waitsIn(null);
            if (!reading.isLocked()) {
                wakeOther(); // it may have been this one's turn, who has gone
            }
        }
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
        reading.lock();
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
