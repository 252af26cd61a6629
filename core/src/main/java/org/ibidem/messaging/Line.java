package org.ibidem.messaging;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.config.Limit;
import org.ibidem.port.ConnectRefused;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.NotConnected;
import org.ibidem.port.PortClosed;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;

/// The connection of a pool port to one member: made by a task, and again when it is lost, as long
/// as that is a member.
final class Line<T> {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final System.Logger LOG = System.getLogger(Line.class.getName());

    private final NodeId to;
    private final String name;
    private final SendPort port;
    private final Tasks tasks;

    /// The first try is over, whatever came of it.
    private final CountDownLatch tried = new CountDownLatch(1);

    /// A task connects, or is about to.
    private boolean connects = true;

    private volatile boolean connected;
    private volatile boolean closed;

    Line(Node node, Subject<T> subject, NodeId to) {
        this.to = to;
        this.name = subject.name();
        this.port = SendPort.open(node, subject.type(), name);
        this.tasks = Runtimes.of(node).tasks();
        tasks.start("connects " + name + " to " + to.brief(), this::connect);
    }

    NodeId to() {
        return to;
    }

    boolean isConnected() {
        return connected;
    }

    private void connect() {
        try {
            port.connect(to, name, Limit.CONNECT.get());
            synchronized (this) {
                connected = true;
                connects = false;
            }
        } catch (ConnectRefused e) {
            if (e.why() == ConnectRefused.Why.TYPES_DIFFER) {
                LOG.log(System.Logger.Level.WARNING, "{0}: {1}", port, e.getMessage());
            } else {
                later(e);
            }
        } catch (IbidemException | IllegalStateException e) {
            later(e);
        } finally {
            tried.countDown();
        }
    }

    private void later(RuntimeException why) {
        LOG.log(System.Logger.Level.DEBUG, "{0} tries again: {1}", port, why.getMessage());
        if (!closed) {
            try {
                tasks.after(AGAIN, "connects " + name + " to " + to.brief(), this::again);
            } catch (IllegalStateException _) {
                closed = true; // this node is
            }
        }
    }

    private void again() {
        if (!closed) {
            tasks.start("connects " + name + " to " + to.brief(), this::connect);
        }
    }

    /// Sends an object.
    ///
    /// @return false: it is not connected, or no more
    boolean send(T object) {
        if (!isThere(Limit.CONNECT.get())) {
            return false;
        }
        try {
            Sender.write(port, object);
            return true;
        } catch (ConnectionLost | NotConnected | PortClosed e) {
            lost(e);
            return false;
        }
    }

    Offered send(T object, Duration limit) {
        long end = tasks.deadline(limit);
        if (!isThere(limit)) {
            return Offered.GONE;
        }
        var left = Duration.ofNanos(Math.max(0, end - tasks.nanoTime()));
        try {
            return Sender.write(port, object, left) ? Offered.SENT : Offered.FULL;
        } catch (ConnectionLost | NotConnected | PortClosed e) {
            lost(e);
            return Offered.GONE;
        }
    }

    private boolean isThere(Duration limit) {
        try {
            boolean over = connected || tried.await(limit.toNanos(), TimeUnit.NANOSECONDS);
            return over && connected;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    /// Its receiver has closed, or it broke: it may open again.
    private void lost(RuntimeException why) {
        synchronized (this) {
            connected = false;
            if (connects || closed) {
                return;
            }
            connects = true;
        }
        later(why);
    }

    /// Its member has gone.
    void drop() {
        closed = true;
        connected = false;
        try {
            tasks.start("closes " + port, () -> port.close(Duration.ZERO));
        } catch (IllegalStateException _) {
            port.close(Duration.ZERO); // this node is closed
        }
    }

    /// Behind what was sent.
    void close() {
        closed = true;
        connected = false;
        port.close(CLOSE_LIMIT);
    }
}
