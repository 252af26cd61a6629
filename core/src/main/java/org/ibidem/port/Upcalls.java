package org.ibidem.port;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// Calls what the program gave a receive port to be called: for messages on one parked thread,
/// which waits for them as any reader does, and for connections. [HandOver] says when.
final class Upcalls implements HandOver.Messages<ReadMessage> {
    private static final System.Logger LOG = System.getLogger(Upcalls.class.getName());
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final ReceivePort port;
    private final @Nullable MessageUpcall messages;
    private final @Nullable ConnectionUpcall connections;
    private final Tasks tasks;
    private final UpcallQueue upcalls;
    private final Failures failures;
    private final HandOver<ReadMessage> handOver;

    Upcalls(ReceivePort port, ReceiveSetup setup, boolean polled, Tasks tasks) {
        this.port = port;
        this.messages = setup.upcall;
        this.connections = setup.connections;
        this.tasks = tasks;
        this.failures = new Failures(port, setup.failures);
        this.upcalls = new UpcallQueue(tasks, port + " tells of lost connections");
        this.handOver = new HandOver<>(this, polled, new ReentrantLock());
    }

    /// Starts a thread that serves messages.
    @Override
    public void another() {
        tasks.start("upcalls of " + port, this::serve);
    }

    /// From now on messages are handed over as they come, or not: then none is begun after this
    /// returns.
    void enable(boolean yes) {
        handOver.enable(yes);
    }

    void close() {
        handOver.close();
    }

    /// Hands over one message after the other, while that is for this thread to do.
    private void serve() {
        boolean mine = true;
        while (mine) {
            try {
                mine = handOver.serveOne();
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
            } catch (RuntimeException | Error e) { // no selector to be had, say
                LOG.log(System.Logger.Level.ERROR, port + " cannot receive, and tries again", e);
                tasks.after(AGAIN, "upcalls of " + port, this::serve);
                return;
            }
        }
    }

    @Override
    public ReadMessage receive() {
        return Objects.requireNonNull(port.receive(Long.MAX_VALUE));
    }

    @Override
    public @Nullable ReadMessage poll() {
        return port.pollHere();
    }

    @Override
    public void handle(ReadMessage message) {
        var from = message.origin(); // which one that was closed does not say
        try {
            Objects.requireNonNull(messages).received(message);
        } catch (Exception | Error e) { // whatever it is, the port must not stand still for it
            failures.failed(from, e);
        }
    }

    @Override
    public void close(ReadMessage message) {
        message.close();
    }

    /// A message was closed: if its handler still runs, the next upcall need not wait for it.
    ///
    /// @return true: the port must not use this message again
    boolean closedEarly(ReadMessage message) {
        return handOver.closedEarly(message);
    }

    /// Makes the upcall for a message that is there, if none is running.
    ///
    /// @return whether there was one
    boolean runNow() {
        return handOver.handOne();
    }

    /// Asks the program whether it wants a connection; says why not, or null.
    @Nullable String connecting(Origin from) {
        var upcall = connections;
        if (upcall == null) {
            return null;
        }
        if (!handOver.beginWithin(ANSWER_LIMIT)) {
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
            handOver.end();
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
        upcalls.add(() -> handOver.call(() -> upcall.lost(port, loss)));
        return true;
    }
}
