package org.ibidem.port;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.registry.coordination.Sequences;
import org.jspecify.annotations.Nullable;

/// Draws from a sequence for all ports of this node: those that come while the hub is being asked
/// ask together when it has answered, in one question for as many numbers. Nobody gets a number
/// that was asked for before he came, so later is still greater, for all nodes together; that is
/// also why no numbers are kept in stock.
final class JointDraw {
    private final Sequences sequences;
    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Under the lock.
    private Round gathering = new Round();
    private boolean asking;

    JointDraw(Sequences sequences, String name) {
        this.sequences = sequences;
        this.name = name;
    }

    /// One number.
    ///
    /// @param number of the sequence
    /// @param epoch the life of the hub's state that it is from
    record Drawn(long number, long epoch) {}

    /// Those who ask together. Under the lock.
    private static final class Round {
        int count;
        @Nullable Drawn first;
        @Nullable RuntimeException failure;

        /// The one who asked was interrupted: no reason for the others to fail.
        boolean again;

        boolean over() {
            return first != null || failure != null || again;
        }
    }

    /// The next number.
    Drawn next() {
        lock.lock();
        try {
            while (true) {
                var mine = gathering;
                int place = mine.count++;
                await(mine);
                if (!mine.over()) {
                    ask(mine);
                }
                if (mine.failure != null) {
                    throw mine.failure;
                }
                if (mine.first != null) {
                    return new Drawn(mine.first.number() + place, mine.first.epoch());
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the round is over, or nobody asks: then this thread does.
    private void await(Round mine) {
        try {
            while (!mine.over() && asking) {
                changed.await();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted(); // its number is given to nobody
        }
    }

    /// Asks for all who have come so far; who comes now waits for the next round.
    private void ask(Round mine) {
        asking = true;
        gathering = new Round();
        int count = mine.count;
        lock.unlock();
        Drawn first = null;
        RuntimeException failure = null;
        try {
            first = draw(count);
        } catch (RuntimeException e) {
            failure = e;
        } catch (Error e) { // those who have come in must hear of it
            failure = new IbidemException("no number was drawn: " + e, e);
        } finally {
            lock.lock();
            asking = false;
            mine.first = first;
            mine.again = first == null && Thread.currentThread().isInterrupted();
            mine.failure = mine.again ? null : failure;
            changed.signalAll();
        }
        if (mine.again && failure != null) {
            throw failure;
        }
    }

    private Drawn draw(int count) {
        while (true) {
            long epoch = sequences.epoch();
            long first = sequences.next(name, count);
            if (sequences.epoch() == epoch) {
                return new Drawn(first, epoch);
            }
            // The hub began anew while it was asked; which life the numbers are from is not known.
        }
    }
}
