package org.ibidem.port;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.link.Tasks;
import org.jspecify.annotations.Nullable;

/// Calls what the program gave a receive port to be called: for messages on one parked thread,
/// which waits for them as any reader does, and for connections; never two at a time.
final class Upcalls {
    private static final System.Logger LOG = System.getLogger(Upcalls.class.getName());
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

    private final ReceivePort port;
    private final @Nullable MessageUpcall messages;
    private final @Nullable ConnectionUpcall connections;
    private final Tasks tasks;
    private final Errands errands;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// An upcall runs, and the port waits for it.
    private boolean busy;

    private boolean enabled;
    private volatile boolean closed;

    /// The message whose upcall runs: when it is closed, the next may begin.
    private volatile @Nullable ReadMessage current;

    Upcalls(
            ReceivePort port,
            @Nullable MessageUpcall messages,
            @Nullable ConnectionUpcall connections,
            Tasks tasks) {
        this.port = port;
        this.messages = messages;
        this.connections = connections;
        this.tasks = tasks;
        this.errands = new Errands(tasks, port + " tells of lost connections");
    }

    /// Starts the thread that serves messages.
    void start() {
        tasks.start("upcalls of " + port, this::serve);
    }

    /// From now on messages are handed over as they come, or not: then none is begun after this
    /// returns.
    void enable(boolean yes) {
        lock.lock();
        try {
            enabled = yes;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Hands over one message after the other, until the port is closed or a handler closes its
    /// message early: then another thread goes on.
    private void serve() {
        boolean mine = true;
        while (mine) {
            try {
                if (!begin(true)) {
                    return;
                }
                end();
                var message = Objects.requireNonNull(port.receive(Long.MAX_VALUE));
                if (!begin(true)) {
                    message.close();
                    return;
                }
                mine = received(message);
            } catch (PortClosed e) {
                return;
            } catch (WaitInterrupted e) { // by a handler that left its thread's status set, say
                Thread.interrupted();
                LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", port, e.getMessage());
                if (port.isClosed()) {
                    return;
                }
            } catch (ConnectionLost | MessageAbandoned e) {
                LOG.log(System.Logger.Level.WARNING, "{0}: {1}", port, e.getMessage());
            }
        }
    }

    /// Calls the handler here, with a message in hand.
    ///
    /// @return false: the message was closed early, another thread serves the port now
    boolean received(ReadMessage message) {
        var handler = messages;
        current = message;
        try {
            if (handler != null) {
                handler.received(message);
            }
        } catch (Exception | Error e) { // whatever it is, the port must not stand still for it
            LOG.log(System.Logger.Level.ERROR, "the upcall of " + port + " threw; it goes on", e);
        }
        boolean mine;
        lock.lock();
        try {
            mine = message.equals(current);
            current = null;
        } finally {
            lock.unlock();
        }
        if (mine) {
            try {
                message.close();
            } finally {
                end();
            }
        }
        return mine;
    }

    /// A message was closed: if its handler still runs, the next upcall need not wait for it.
    ///
    /// @return true: the port must not use this message again
    boolean closedEarly(ReadMessage message) {
        lock.lock();
        try {
            if (!message.equals(current)) {
                return false;
            }
            current = null;
        } finally {
            lock.unlock();
        }
        end();
        if (!closed && !port.polled()) {
            start();
        }
        return true;
    }

    /// Waits for the right to make an upcall.
    ///
    /// @param message it is for a message, so it also waits while those are not wanted
    /// @return false: the port was closed
    private boolean begin(boolean message) {
        lock.lock();
        try {
            while (!closed && (busy || (message && !enabled))) {
                changed.await();
            }
            busy = !closed;
            return busy;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        } finally {
            lock.unlock();
        }
    }

    /// The same, for a polled upcall; null: not now.
    private boolean tryBegin() {
        lock.lock();
        try {
            if (closed || busy || !enabled) {
                return false;
            }
            busy = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void end() {
        lock.lock();
        try {
            busy = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Makes the upcall for a message that is there, if none is running.
    ///
    /// @return whether there was one
    boolean runNow() {
        if (!tryBegin()) {
            return false;
        }
        var got = (ReadMessage) null;
        try {
            got = port.pollHere();
        } finally {
            if (got == null) {
                end();
            }
        }
        if (got != null) {
            received(got);
        }
        return got != null;
    }

    /// Asks the program whether it wants a connection; says why not, or null.
    @Nullable String connecting(Origin from) {
        var upcall = connections;
        if (upcall == null) {
            return null;
        }
        if (!beginWithin(ANSWER_LIMIT)) {
            return "another upcall of it has run for "
                    + ANSWER_LIMIT.toSeconds()
                    + " s; handlers that take long close their message early";
        }
        try {
            return upcall.connecting(port, from) ? null : "the program did not want it";
        } catch (Exception | Error e) { // or the place it would have had is never free again
            LOG.log(System.Logger.Level.ERROR, "a connection upcall of " + port + " threw", e);
            return "its connection upcall failed";
        } finally {
            end();
        }
    }

    private boolean beginWithin(Duration limit) {
        lock.lock();
        try {
            long left = limit.toNanos();
            while (!closed && busy && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (closed || busy) {
                return false;
            }
            busy = true;
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the program asked to be told of connections that are over.
    boolean tellLosses() {
        return connections != null;
    }

    /// Tells the program of a connection that is over; false: it did not ask for that.
    boolean lost(Lost<Origin> loss) {
        var upcall = connections;
        if (upcall == null) {
            return false;
        }
        errands.add(() -> {
            if (begin(false)) {
                try {
                    upcall.lost(port, loss);
                } finally {
                    end();
                }
            }
        });
        return true;
    }
}
