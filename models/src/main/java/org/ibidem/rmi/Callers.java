package org.ibidem.rmi;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The connections back to those that call this node: each to the receive port that has the name of
/// the send port it calls from, at its node.
final class Callers implements ConnectionUpcall, AutoCloseable {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

    /// Of each caller, the latest.
    private static final int MOST_GIVEN_UP = Peer.MOST;

    private static final System.Logger LOG = System.getLogger(Callers.class.getName());

    private final Part part;
    private final Map<Origin, Caller> all = new ConcurrentHashMap<>();

    /// Those with replies that were kept back.
    private final Set<Caller> kept = ConcurrentHashMap.newKeySet();

    /// Calls of all of them.
    private final AtomicInteger present = new AtomicInteger();

    private volatile boolean closed;

    Callers(Part part) {
        this.part = part;
    }

    /// One of them.
    final class Caller {
        private final Origin to;
        private final CompletableFuture<SendPort> made = new CompletableFuture<>();

        /// For replies of many threads: a port's turn wakes all that wait for it.
        final ReentrantLock writing = new ReentrantLock();

        private final AtomicInteger calls = new AtomicInteger();

        /// Those that have their arguments, until their methods are over.
        private final ByNumber<Served> here = new ByNumber<>();

        private volatile boolean gone;

        /// Calls that are not wanted any more; some of them are over.
        private final LinkedHashSet<Long> givenUp = new LinkedHashSet<>();

        private Caller(Origin to) {
            this.to = to;
        }

        Origin origin() {
            return to;
        }

        /// What replies refer to that were sent, until they have come.
        final Map<Long, List<Object>> inFlight = new ConcurrentHashMap<>();

        /// A call of it is here.
        ///
        /// @return how many are, from their arguments to their replies
        int began() {
            present.incrementAndGet();
            return calls.incrementAndGet();
        }

        /// It has its reply.
        void ended() {
            calls.decrementAndGet();
            if (present.decrementAndGet() == 0 && closed) {
                synchronized (Callers.this) {
                    Callers.this.notifyAll();
                }
            }
        }

        /// A call has its arguments.
        ///
        /// @return false: it is not wanted any more
        boolean has(Served call) {
            here.put(call);
            if (wasGivenUp(call.number()) || gone) {
                here.remove(call);
                return false;
            }
            return true;
        }

        /// A method is over.
        void hasRun(Served call) {
            here.remove(call);
        }

        /// A call is not wanted any more, and all that came before this has been read.
        void cancel(long id) {
            wasGivenUp(id);
            cancelHere(id);
        }

        /// The same of a call that may still be to come.
        void giveUp(long id) {
            synchronized (givenUp) {
                givenUp.add(id);
                if (givenUp.size() > MOST_GIVEN_UP) {
                    givenUp.removeFirst();
                }
            }
            if (cancelHere(id)) {
                wasGivenUp(id);
            }
        }

        private boolean wasGivenUp(long id) {
            synchronized (givenUp) {
                return !givenUp.isEmpty() && givenUp.remove(id);
            }
        }

        private boolean cancelHere(long id) {
            var found = here.remove(id);
            if (found != null) {
                found.cancel(this, id);
            }
            return found != null;
        }

        boolean isGone() {
            return gone;
        }

        /// It has gone: none of its calls is wanted any more.
        private void leaves() {
            gone = true;
            for (var each : here.all()) {
                cancelHere(each.number());
            }
        }

        /// Connected.
        SendPort port() {
            try {
                return made.get(CONNECT_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IbidemException("no connection back to " + to + ": " + e.getMessage(), e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new WaitInterrupted();
            }
        }

        private void connect() {
            var setup = SendSetup.USUAL.lost((_, _) -> drop(to));
            var port = SendPort.open(part.node(), part.ports().replies(), Serving.NAME, setup);
            try {
                port.connect(to.node(), to.port(), CONNECT_LIMIT);
            } catch (RuntimeException | Error e) {
                port.close(Duration.ZERO);
                drop(to);
                made.completeExceptionally(e);
                LOG.log(System.Logger.Level.DEBUG, "no connection back: {0}", e.getMessage());
                return;
            }
            if (!made.complete(port)) {
                port.close(Duration.ZERO); // it has gone meanwhile
            }
        }

        private void close(Duration limit) {
            if (!made.completeExceptionally(new IbidemException("it has gone"))
                    && !made.isCompletedExceptionally()) {
                made.join().close(limit);
            }
        }
    }

    @Override
    public boolean connecting(ReceivePort port, Origin from) {
        if (closed) {
            return false;
        }
        var caller = new Caller(from);
        var before = all.put(from, caller);
        if (before != null) {
            before.close(Duration.ZERO);
        }
        part.tasks().start("connects back to " + from, caller::connect);
        return true;
    }

    @Override
    public void lost(ReceivePort port, Lost<Origin> connection) {
        drop(connection.peer());
    }

    /// One has gone, or is to go.
    void drop(Origin from) {
        var caller = all.remove(from);
        if (caller != null) {
            part.orphaned(from.node(), caller.inFlight);
            part.tasks().start("lets go of " + from, () -> caller.close(Duration.ZERO));
            caller.leaves();
            part.strayed(from.node());
        }
    }

    /// A reply to this caller was kept back in its port.
    void keeps(Caller caller) {
        kept.add(caller);
    }

    /// Whether a reply is kept back just now.
    boolean keeps() {
        return !kept.isEmpty();
    }

    /// Has all that was kept back go, without waiting.
    void sendKept() {
        if (!keeps()) {
            return;
        }
        for (var each : List.copyOf(kept)) {
            kept.remove(each);
            if (!each.port().tryFlush()) {
                kept.add(each); // whoever writes to it sends it; if not, next time
            }
        }
    }

    /// Whether a node has a connection to call by.
    boolean has(NodeId node) {
        return all.keySet().stream().anyMatch(from -> from.node().equals(node));
    }

    /// One that is here; null: it has gone.
    @Nullable Caller of(Origin from) {
        return all.get(from);
    }

    /// Takes no more of them, and waits until all calls that are here have their replies.
    ///
    /// @return false: some have not
    synchronized boolean drain(Duration limit) {
        closed = true;
        long end = part.tasks().deadline(limit);
        try {
            long left = limit.toNanos();
            while (present.get() > 0 && left > 0) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = end - part.tasks().nanoTime();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return present.get() == 0;
    }

    @Override
    public void close() {
        closed = true;
        for (var from : List.copyOf(all.keySet())) {
            var caller = all.remove(from);
            if (caller != null) {
                caller.close(CLOSE_LIMIT);
                caller.leaves();
            }
        }
    }
}
