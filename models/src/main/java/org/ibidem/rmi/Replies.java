package org.ibidem.rmi;

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
    private final Tasks tasks;

    /// Whoever has it reads.
    private final ReentrantLock reading = new ReentrantLock();

    private final Set<Calling> waiting = ConcurrentHashMap.newKeySet();

    /// No fewer than wait: who finds none need not look who does, which makes garbage.
    private final AtomicInteger followers = new AtomicInteger();

    /// Calls for which nobody waits.
    private final AtomicInteger started = new AtomicInteger();

    private final AtomicBoolean task = new AtomicBoolean();

    /// Another reply is here; of whoever reads.
    private boolean followed;

    /// @param together told when nobody is busy with replies
    Replies(ReceivePort in, Together together, Consumer<ReadMessage> taken, Tasks tasks) {
        this.in = in;
        this.together = together;
        this.taken = taken;
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
            if (reading.tryLock()) {
                try {
                    readUntil(call);
                } finally {
                    leave();
                }
            } else {
                follow(call, left);
            }
        }
        return true;
    }

    private void readUntil(Calling call) {
        for (int more = MOST_MORE; !call.isOver() || (followed && more > 0); more--) {
            long left = call.left();
            if (left <= 0) {
                return;
            }
            read(left < LOOK.toNanos() ? Duration.ofNanos(left) : LOOK, call);
        }
    }

    /// @param call for which this thread waits, whatever becomes of the message; null: for none
    private void read(Duration limit, @Nullable Calling call) {
        if (!followed) {
            together.waits();
        }
        followed = false;
        try (var message = in.receive(limit)) {
            if (message == null) {
                return;
            }
            if (message.size() >= 0) {
                together.reads();
                taken.accept(message);
                followed = message.isFollowed();
                return;
            }
            together.waits(); // for its rest
            if (call == null || !call.hasLimit()) {
                taken.accept(message);
            } else {
                readInTime(message, call);
            }
        } catch (MessageAbandoned _) {
            // another one follows that says why
        }
    }

    /// Of a message that is not all here the rest may never come: its server may be stopped.
    private void readInTime(ReadMessage message, Calling call) {
        var left = Duration.ofNanos(Math.max(1, call.left()));
        InTime.run(
                tasks,
                left,
                "limit of a call",
                () -> {
                    try (message) {
                        taken.accept(message);
                    }
                });
    }

    /// Lets another read.
    private void leave() {
        reading.unlock();
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
            if (!call.isOver() && reading.isLocked()) {
                LockSupport.parkNanos(call, Math.min(left, LOOK.toNanos()));
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new WaitInterrupted();
            }
        } finally {
            waiting.remove(call);
            followers.decrementAndGet();
            call.waitsIn(null);
            if (!reading.isLocked()) {
                wakeOne(); // it may have been this one's turn, who has gone
            }
        }
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
        reading.lock();
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
