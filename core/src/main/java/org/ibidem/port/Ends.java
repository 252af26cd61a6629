package org.ibidem.port;

import java.time.Duration;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.config.Limit;
import org.ibidem.task.Tasks;

/// Sees to it that the ends of a receive port's connections are found when they are there, whoever
/// reads. Whoever has the turn looks before it gives it back; where nobody has it, the task does
/// that was told of the end. No thread is kept for it, and a reader who is told of nothing looks at
/// one word.
final class Ends {
    private static final Duration FIRST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private static final long LOOK_AGAIN = Duration.ofMillis(100).toNanos();

    private final ReceivePort port;
    private final Turn turn;
    private final Tasks tasks;

    /// Whoever gives the turn back has something to do before.
    private volatile boolean later;

    private boolean closes;
    private boolean waits;
    private Duration pause = FIRST;

    Ends(ReceivePort port, Turn turn, Tasks tasks) {
        this.port = port;
        this.turn = turn;
        this.tasks = tasks;
    }

    /// Lets others have the turn.
    void giveBack() {
        try {
            if (later) {
                seeToIt();
            }
        } finally {
            turn.giveBack();
        }
    }

    private void seeToIt() {
        later = false; // what happens from now on sets it again
        if (!port.isClosed()) {
            port.lookHere(false);
            if (port.inputs().someLeave()) {
                later = true;
            }
        } else if (closes) {
            closes = false;
            port.closeHere();
        }
    }

    /// The port is closed. What it holds is ended now, or by the thread that has the turn. Where
    /// that thread keeps the turn for longer than `limit`, its connection is given up.
    void close(Duration limit) {
        close(turn.take(limit));
    }

    /// The same, where a task waits for what takes longer.
    void closeWithin(Duration limit) {
        boolean taken = turn.take(limit);
        if (taken || turn.isMine() || Thread.currentThread().isInterrupted()) {
            close(taken);
        } else {
            closeLater();
        }
    }

    private void closeLater() {
        try {
            tasks.start("close " + port, () -> close(Limit.CLOSE.get()));
        } catch (IllegalStateException _) {
            close(false); // this node is going down
        }
    }

    /// @param taken this thread has the turn, and gives it back
    private void close(boolean taken) {
        if (!taken) {
            port.inputs().close(turn.isMine() ? Closing.LATER : Closing.GIVEN_UP);
        }
        closes = true;
        later = true;
        if (taken) {
            giveBack();
        } else {
            lookSoon();
        }
    }

    /// A connection may be over.
    void suspect() {
        port.troubled();
        later = true;
        lookSoon();
    }

    /// Finds every connection that has ended by now, unless somebody reads: then he does.
    void look() {
        if (turn.tryTake()) {
            try {
                port.lookHere(true);
            } finally {
                giveBack();
            }
        }
    }

    /// Waits until nobody is connected; also for what nobody is told of, such as a socket that
    /// ends.
    ///
    /// @return false: somebody is still
    /// @throws WaitInterrupted when the thread was interrupted
    boolean await(Duration limit) {
        long deadline = tasks.deadline(limit);
        try {
            boolean none;
            long left;
            do {
                look();
                left = deadline - tasks.nanoTime();
                none = port.inputs().awaitEmpty(Math.clamp(left, 0, LOOK_AGAIN));
            } while (!none && left > 0);
            return none;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    /// Sees to what was left for later, unless who has the turn does so. He may just have looked
    /// whether there was anything, and an end that is known may still be on its way: so again, ever
    /// more seldom.
    private void lookSoon() {
        if (lookIfFree()) {
            synchronized (this) {
                pause = FIRST;
                if (!waits) {
                    lookLater();
                }
            }
        }
    }

    /// @return whether it is to be tried again
    private boolean lookIfFree() {
        if (turn.tryTake()) {
            giveBack();
        }
        return later && (port.isClosed() || port.inputs().awaitsEnds());
    }

    private void lookLater() {
        try {
            tasks.after(pause, "look for ends at " + port, this::lookAgain);
            waits = true;
        } catch (IllegalStateException _) {
            waits = false; // this node is going down, and closes its ports
        }
    }

    private void lookAgain() {
        boolean again = lookIfFree();
        synchronized (this) {
            waits = false;
            if (again) {
                var twice = pause.multipliedBy(2);
                pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
                lookLater();
            }
        }
    }
}
