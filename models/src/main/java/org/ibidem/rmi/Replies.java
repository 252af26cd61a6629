package org.ibidem.rmi;

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

/// Who reads the replies of a node: one of the threads that wait for one reads for all of them
/// (leader and followers, Schmidt et al., PLoP 2000), so that nobody need be woken where only one
/// waits. While there are calls for which nobody waits, a task reads.
final class Replies {
    /// How soon one who reads sees that its call is over for another reason than a reply.
    private static final Duration LOOK = Duration.ofMillis(50);

    /// Replies for others that are read when one's own has come, if they are here.
    private static final int MOST_MORE = 64;

    private final ReceivePort in;
    private final Together together;
    private final Consumer<ReadMessage> taken;
    private final Function<ReadMessage, Opened> opened;
    private final Tasks tasks;

    /// Whoever has it reads.
    private final Semaphore reading = new Semaphore(1);

    private final Set<Calling> waiting = ConcurrentHashMap.newKeySet();

    /// No fewer than wait: who finds none need not look who does, which makes garbage.
    private final AtomicInteger followers = new AtomicInteger();

    /// Calls for which nobody waits.
    private final AtomicInteger started = new AtomicInteger();

    private final AtomicBoolean task = new AtomicBoolean();

    /// Another reply is here; of whoever reads.
    private boolean followed;

    /// A reply of which the beginning is read.
    ///
    /// @param call which it ends; null: nobody's any more
    /// @param rest reads and takes the rest
    record Opened(@Nullable Calling call, Runnable rest) {}

    /// @param together told when nobody is busy with replies
    /// @param taken takes a reply
    /// @param opened reads the beginning of one that is not all here
    Replies(
            ReceivePort in,
            Together together,
            Consumer<ReadMessage> taken,
            Function<ReadMessage, Opened> opened,
            Tasks tasks) {
        this.in = in;
        this.together = together;
        this.taken = taken;
        this.opened = opened;
        this.tasks = tasks;
    }

    /// Waits until a call is over.
    ///
    /// @return false: its time is over
    /// @throws WaitInterrupted when this thread was interrupted
    boolean await(Calling call) {
        while (!call.isOver()) {
            long left = call.left();
            if (left <= 0) {
                return false;
            }
            try {
                readOrFollow(call, left);
            } catch (WaitInterrupted e) {
                call.interrupted(e);
            }
        }
        return true;
    }

    private void readOrFollow(Calling call, long left) {
        if (reading.tryAcquire()) {
            boolean reads = true;
            try {
                reads = readUntil(call);
            } finally {
                if (reads) {
                    leave();
                }
            }
        } else {
            follow(call, left);
        }
    }

    /// @return false: a task reads now, and lets others read after it
    private boolean readUntil(Calling call) {
        for (int more = MOST_MORE; !call.isOver() || (followed && more > 0); more--) {
            long left = call.left();
            if (left <= 0) {
                break;
            }
            if (!read(left < LOOK.toNanos() ? Duration.ofNanos(left) : LOOK, call)) {
                return false;
            }
        }
        return true;
    }

    /// @param call for which this thread waits, whatever becomes of the message; null: for none
    private boolean read(Duration limit, @Nullable Calling call) {
        if (!followed) {
            together.waits();
        }
        followed = false;
        try {
            var message = in.receive(limit);
            if (message != null && message.size() < 0 && call != null) {
                together.waits(); // for its rest
                return readRest(message, call);
            }
            try (message) {
                if (message != null) {
                    together.reads();
                    taken.accept(message);
                    followed = message.isFollowed();
                }
            }
        } catch (MessageAbandoned _) {
            // another one follows that says why
        }
        return true;
    }

    /// Of a message that is not all here the rest may never come: its server may be stopped. What
    /// another call waits for is not read by this thread, whose own time may be over before, and
    /// which may be interrupted; nor what a patient one waits for.
    private boolean readRest(ReadMessage message, Calling call) {
        try {
            var reply = opened.apply(message);
            var other = reply.call();
            if (other != null && (other != call || call.isPatient())) {
                tasks.start("rest of a reply", () -> readFor(other, message, reply.rest()));
                return false;
            }
            readInTime(message, call, reply.rest());
            return true;
        } catch (RuntimeException | Error e) {
            message.close();
            throw e;
        }
    }

    private void readFor(Calling other, ReadMessage message, Runnable rest) {
        try {
            readInTime(message, other, rest);
        } catch (IbidemException _) {
            // who waits is told by what follows
        } finally {
            leave();
        }
    }

    private void readInTime(ReadMessage message, Calling call, Runnable rest) {
        Runnable all =
                () -> {
                    try (message) {
                        rest.run();
                    }
                };
        if (call.hasLimit()) {
            var left = Duration.ofNanos(Math.max(1, call.left()));
            InTime.run(tasks, left, "limit of a call", all);
        } else {
            all.run();
        }
    }

    /// Lets another read.
    private void leave() {
        reading.release();
        wakeOne();
    }

    /// Wakes one that is to read, if nobody is about to come by here: whoever has its reply, and
    /// has not gone yet, does.
    private void wakeOne() {
        if (followers.get() == 0) {
            return;
        }
        Calling next = null;
        int looks = 0;
        for (var other : waiting) {
            if (other.isOver()) {
                return;
            }
            next = next == null ? other : next;
            if (++looks == MOST_MORE) {
                break;
            }
        }
        if (next != null) {
            next.wake();
        }
    }

    private void follow(Calling call, long left) {
        call.waitsIn(Thread.currentThread());
        followers.incrementAndGet();
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
            followers.decrementAndGet();
            call.waitsIn(null);
            if (!isRead()) {
                wakeOne(); // it may have been this one's turn, who has gone
            }
        }
    }

    private boolean isRead() {
        return reading.availablePermits() == 0;
    }

    /// A call has been made that nobody waits for; [#ended] is to follow.
    void began() {
        started.incrementAndGet();
        readOn();
    }

    void ended() {
        started.decrementAndGet();
    }

    private void readOn() {
        if (!task.getAndSet(true)) {
            tasks.start("replies at " + in, this::readWhile);
        }
    }

    private void readWhile() {
        boolean goesOn = true;
        reading.acquireUninterruptibly();
        try {
            while (started.get() > 0) {
                read(LOOK, null);
            }
        } catch (IbidemException _) {
            goesOn = false; // the port is closed, or this node; who waits is told so
        } finally {
            task.set(false);
            leave();
        }
        if (goesOn && started.get() > 0) {
            readOn();
        }
    }
}
