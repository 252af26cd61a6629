package org.ibidem.messaging;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.config.Limit;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.port.SendSetup;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;
import org.jspecify.annotations.Nullable;

/// The connections back to those that have connected to a port: each to the receive port that has
/// the name of the send port it came from, at its node. It is made when they connect, and ends when
/// either of both does.
final class Backs implements ConnectionUpcall, AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    private static final System.Logger LOG = System.getLogger(Backs.class.getName());

    private final Node node;
    private final PortType type;
    private final Map<Origin, Back> all = new ConcurrentHashMap<>();

    /// Told of each that comes, in a task of its own, and of each that goes.
    private final Watcher watcher;

    private volatile boolean closed;

    /// Who is told of those who come and go.
    interface Watcher {
        /// One has connected; called in a task of its own.
        default void came(Back back) {}

        /// One has gone.
        default void left(Origin from) {}
    }

    Backs(Node node, PortType type, Watcher watcher) {
        this.node = node;
        this.type = type;
        this.watcher = watcher;
    }

    /// A name for ports that no other of this node has.
    static String name(Node node, String subject) {
        var last = Runtimes.of(node).room(Names.class, Names::new).last;
        return subject + "/" + last.incrementAndGet();
    }

    private static final class Names {
        private final AtomicLong last = new AtomicLong();
    }

    /// The connection back to one of them.
    final class Back {
        private final Origin to;
        private final ReceivePort from;
        private final CompletableFuture<SendPort> made = new CompletableFuture<>();

        /// For those who write from thousands of threads: a port's turn wakes all that wait for it.
        final ReentrantLock writing = new ReentrantLock();

        private Back(Origin to, ReceivePort from) {
            this.to = to;
            this.from = from;
        }

        Origin to() {
            return to;
        }

        /// Where it came in.
        ReceivePort receivePort() {
            return from;
        }

        /// Connected.
        SendPort port() {
            return port(Limit.CONNECT.get());
        }

        /// If it is connected now.
        @Nullable SendPort portNow() {
            return made.state() == Future.State.SUCCESS ? made.resultNow() : null;
        }

        /// Connected within a limit.
        SendPort port(Duration limit) {
            try {
                return made.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IbidemException("no connection back to " + to + ": " + e.getMessage(), e);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                throw new WaitInterrupted();
            }
        }

        private void connect() {
            var setup = SendSetup.USUAL.lost((_, _) -> drop(to));
            var port = SendPort.open(node, type, from.name(), setup);
            try {
                port.connect(to.node(), to.port(), Limit.CONNECT.get());
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
        var back = new Back(from, port);
        var before = all.put(from, back);
        if (before != null) {
            before.close(Duration.ZERO);
        }
        start("connects back to " + from, back::connect);
        start("serves " + from, () -> watcher.came(back));
        return true;
    }

    private void start(String what, Runnable body) {
        tasks().start(what, body);
    }

    private Tasks tasks() {
        return Runtimes.of(node).tasks();
    }

    @Override
    public void lost(ReceivePort port, Lost<Origin> connection) {
        drop(connection.peer());
    }

    private void drop(Origin from) {
        var back = all.remove(from);
        if (back != null) {
            start("lets go of " + from, () -> back.close(CLOSE_LIMIT)); // an answer may be in hand
            watcher.left(from);
        }
    }

    /// The connection back to one, if it is there, or being made.
    @Nullable Back to(Origin from) {
        return all.get(from);
    }

    @Override
    public void close() {
        closed = true;
        for (var from : List.copyOf(all.keySet())) {
            var back = all.remove(from);
            if (back != null) {
                back.close(CLOSE_LIMIT);
                watcher.left(from);
            }
        }
    }
}
