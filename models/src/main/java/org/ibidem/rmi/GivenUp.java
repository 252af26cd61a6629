package org.ibidem.rmi;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.SendPort;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Tells a node of calls that are given up: behind them, on the connection for calls. A node where
/// no place is free reads nothing there, and waits perhaps for just the call that is given up; so
/// where that call is not over soon, it is told once more on a connection of its own, which is made
/// then.
final class GivenUp {
    private static final System.Logger LOG = System.getLogger(GivenUp.class.getName());
    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private final Part part;
    private final NodeId node;
    private final SendPort out;
    private final ReentrantLock writing;

    /// Calls that nothing has been heard of since.
    private final Set<Long> silent = ConcurrentHashMap.newKeySet();

    /// Of the other connection.
    private final ReentrantLock again = new ReentrantLock();

    private @Nullable SendPort beside;
    private volatile boolean closed;

    /// @param out where calls go
    /// @param writing held by who writes there
    GivenUp(Part part, NodeId node, SendPort out, ReentrantLock writing) {
        this.part = part;
        this.node = node;
        this.out = out;
        this.writing = writing;
    }

    /// A call that was sent is given up.
    void tell(long id) {
        silent.add(id);
        tellBehind(id);
        part.later(
                SOON,
                "a call that is given up",
                () -> {
                    if (silent.remove(id)) {
                        part.tasks().start("gives up a call", () -> tellBeside(id));
                    }
                });
    }

    /// Its reply has come.
    void answered(long id) {
        silent.remove(id);
    }

    private void tellBehind(long id) {
        boolean interrupted = Thread.interrupted(); // it is said even so
        boolean mine = false;
        try {
            mine = writing.tryLock(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
            if (mine) {
                write(out, id);
            }
        } catch (InterruptedException | WaitInterrupted _) {
            interrupted = true;
        } catch (IbidemException _) {
            // then it works on it in vain
        } finally {
            if (mine) {
                writing.unlock();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void write(SendPort port, long id) {
        try (var message = port.newMessage(LIMIT)) {
            if (message != null) {
                message.writeByte(Words.CANCEL).writeLong(id).finish();
            }
        }
    }

    private void tellBeside(long id) {
        again.lock();
        try {
            if (!closed) {
                write(connected(), id);
            }
        } catch (IbidemException | IllegalStateException e) { // it is gone, say, or this node is
            LOG.log(Level.DEBUG, "call {0} is not given up: {1}", id, e.getMessage());
        } finally {
            again.unlock();
        }
    }

    private SendPort connected() {
        var known = beside;
        if (known != null && !known.connections().isEmpty()) {
            return known;
        }
        if (known != null) {
            known.close(Duration.ZERO);
        }
        var made = SendPort.open(part.node(), part.ports().givenUp(), out.name());
        beside = made;
        made.connect(node, Abandoned.NAME, CONNECT_LIMIT);
        return made;
    }

    /// Waits for who is telling just now.
    void close() {
        closed = true;
        again.lock();
        try {
            if (beside != null) {
                beside.close(Duration.ZERO);
            }
        } finally {
            again.unlock();
        }
    }
}
