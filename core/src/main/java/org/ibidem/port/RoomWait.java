package org.ibidem.port;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.Waiter;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.FlightEvents;
import org.ibidem.monitor.StallEvent;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// How the messages of a send port wait for room, and until when. All with the port's turn in hand.
final class RoomWait {
    private static final long NEVER = Long.MAX_VALUE;
    private static final System.Logger LOG = System.getLogger(RoomWait.class.getName());

    private final SendPort port;
    private final Outputs outputs;
    private final WriteMessage message;
    private final Waiter waiter;
    private final Tasks tasks;

    /// A task hands over, or is about to, what a message left whose time was over.
    private final AtomicBoolean handsOver = new AtomicBoolean();

    /// Threads that want the turn of that task.
    private final AtomicInteger wanting = new AtomicInteger();

    /// Something that was finished is not on the network yet, or was lost before it was.
    private volatile boolean owes;

    /// When the message in hand must have its room, by the waiter's clock.
    private long deadline = NEVER;

    /// For how long it waits for a part of its room.
    private @Nullable Duration patience;

    /// When the wait that has begun is over.
    private long end = NEVER;

    private @Nullable StallEvent stall;

    RoomWait(SendPort port, Outputs outputs, WriteMessage message, Waiter waiter, Tasks tasks) {
        this.port = port;
        this.outputs = outputs;
        this.message = message;
        this.waiter = waiter;
        this.tasks = tasks;
    }

    /// What follows must have its room by then, and each part of it within a time; null: any time.
    void until(long latest, @Nullable Duration atATime) {
        deadline = latest;
        patience = atATime;
    }

    /// Whether something was finished that is not on the network, as far as is known. Any thread
    /// may ask.
    boolean owes() {
        return owes;
    }

    /// Begins to wait for room: a reader that sleeps must learn what it has, or it makes none.
    void begin() {
        message.sink.push();
        stall = FlightEvents.stall();
        end = patience == null ? deadline : Math.min(deadline, waiter.deadline(patience));
        waiter.begin(end);
    }

    /// One step of waiting.
    ///
    /// @throws WriteTimedOut when the time is over
    void idle() {
        if (!idles()) {
            throw new WriteTimedOut(port.toString());
        }
    }

    private boolean idles() {
        if (port.isTroubled()) {
            port.requireOpen();
            outputs.requireReceivers();
        }
        return waiter.idle(end);
    }

    /// There is room.
    void found() {
        waiter.found();
        var over = stall;
        if (over != null) {
            stall = null;
            over.over(port);
        }
    }

    /// Waits until a message may begin.
    ///
    /// @return false: the time is over
    boolean lets() {
        try {
            if (isThere()) {
                return true;
            }
            begin();
            while (!isThere()) {
                if (!idles()) {
                    return false;
                }
            }
            found();
            return true;
        } catch (LinkBroken e) {
            throw port.lost(e);
        }
    }

    private boolean isThere() {
        var frame = message.frame;
        return frame.limit - frame.position >= Layouts.FIRST
                || message.sink.claim(frame, Layouts.FIRST);
    }

    /// Blocks until all that was committed is on the network. What is not when the time is over is
    /// handed over by a task: it cannot be taken back.
    void push() {
        var sink = message.sink;
        try {
            if (sink.push()) {
                owes = false;
                return;
            }
            waiter.begin(deadline);
            while (!sink.push()) {
                port.requireOpen();
                if (!waiter.idle(deadline)) {
                    handOverLater();
                    return;
                }
            }
            owes = false;
            waiter.found();
        } catch (LinkBroken e) {
            throw port.lost(e);
        }
    }

    /// Has what was committed go on the network without waiting here.
    ///
    /// @return false: another thread has the port's turn
    boolean tryPush() {
        if (!port.turn().tryTake()) {
            return false;
        }
        try {
            if (!message.sink.push()) {
                handOverLater();
            }
        } catch (LinkBroken e) {
            port.lostInSilence(e);
        } catch (InternalError e) { // of memory that was cut short
            port.lostInSilence(LinkBroken.cut(e));
        } finally {
            port.turn().giveBack();
        }
        return true;
    }

    private void handOverLater() {
        owes = true;
        if (!handsOver.getAndSet(true)) {
            tasks.start(port + " hands over what is left", this::handOver);
        }
    }

    /// Takes the port's turn, also from the task that hands over, which waits as long as it takes:
    /// it goes on later.
    void takeTurn() {
        wanting.incrementAndGet(); // before the bell: the task looks at it when rung
        try {
            waiter.ring();
            port.turn().take(port.toString());
        } finally {
            wanting.decrementAndGet();
        }
    }

    private void handOver() {
        try {
            boolean over = false;
            while (!over) {
                port.turn().take(port.toString());
                try {
                    over = handsOverInTurn();
                } finally {
                    port.turn().giveBack();
                }
            }
        } catch (WaitInterrupted e) {
            LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", port, e.getMessage());
        }
    }

    /// @return false: another thread wants the turn
    private boolean handsOverInTurn() {
        boolean over = true;
        try {
            waiter.begin(NEVER);
            while (!port.isClosed() && !message.sink.push()) {
                if (wanting.get() > 0) {
                    over = false;
                    return false;
                }
                waiter.idle(NEVER);
            }
            owes = port.isClosed();
            waiter.found();
        } catch (LinkBroken e) {
            port.lostInSilence(e);
        } catch (InternalError e) { // of memory that was cut short
            port.lostInSilence(LinkBroken.cut(e));
        } finally {
            handsOver.set(!over);
        }
        return true;
    }
}
