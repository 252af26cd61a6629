package org.ibidem.messaging;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.ibidem.IbidemException;
import org.ibidem.port.ConnectionUpcall;
import org.ibidem.port.Lost;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.PortClosed;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReadMismatch;
import org.ibidem.port.ReceivePort;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Receives objects, from any number of senders; made by [Subject#receiver] and
/// [Subject#subscriber].
///
/// One by one with [#receive], or in a loop, which ends when this is closed or all senders that
/// there were have gone. Objects that are not let in, or were given up by their sender, are skipped
/// by the loop and told to the subject's hook.
///
/// @param <T> the kind of object
public final class Receiver<T> implements Iterable<T>, AutoCloseable {
    private static final long NO_END = Long.MAX_VALUE;

    private final Subject<T> subject;
    private final Tasks tasks;
    private final ReceivePort port;
    private final Failing failing;
    private final Arriving<T> arriving;

    /// Told of what was taken.
    private final Taken taken;

    /// Whether a loop ends when all senders have gone.
    private final boolean ends;

    private volatile boolean loops;

    /// A sender has gone.
    private volatile boolean left;

    /// What is done about what was received.
    interface Taken extends AutoCloseable {
        /// Nothing.
        Taken NOTHING = _ -> {};

        /// The object of this message was taken, and handled where there is a handler.
        void taken(long number);

        /// There is no other just now.
        default void idle() {}

        /// Whether it is to be told that there is no other, before one waits.
        default boolean waits() {
            return false;
        }

        @Override
        default void close() {}
    }

    /// How a receiver is made, beyond its subject.
    ///
    /// @param port its name
    /// @param only from whom; none: from anybody
    record Making<T>(
            String port,
            PortType type,
            @Nullable OriginHandler<T> handler,
            Taken taken,
            boolean ends,
            @Nullable NodeId only) {}

    private Receiver(Node node, Subject<T> subject, Making<T> making) {
        this.subject = subject;
        this.taken = making.taken;
        this.ends = making.ends;
        this.failing = new Failing(subject.failures());
        this.tasks = Runtimes.of(node).tasks();
        this.arriving = new Arriving<>(tasks, this::read);
        var setup = subject.setup().connections(new Senders());
        if (making.only != null) {
            setup = setup.only(making.only);
        }
        var handler = making.handler;
        if (handler != null) {
            setup = setup.upcall(message -> handle(message, handler));
        }
        this.port = ReceivePort.open(node, making.type, making.port, setup);
    }

    static <T> Receiver<T> open(Node node, Subject<T> subject, @Nullable OriginHandler<T> handler) {
        return make(
                node,
                subject,
                new Making<>(subject.name(), subject.type(), handler, Taken.NOTHING, true, null));
    }

    static <T> Receiver<T> make(Node node, Subject<T> subject, Making<T> making) {
        return new Receiver<>(node, subject, making);
    }

    private final class Senders implements ConnectionUpcall {
        @Override
        public void lost(ReceivePort from, Lost<Origin> connection) {
            left = true;
            endIfLeft();
        }
    }

    /// Nobody is there any more, and a loop waits.
    private void endIfLeft() {
        if (ends && loops && left && port.connections().isEmpty()) {
            port.close();
        }
    }

    private void handle(ReadMessage message, OriginHandler<T> handler) throws Exception {
        long number = message.sequenceNumber();
        try {
            handler.received(subject.read(message), message.origin());
        } finally {
            taken.taken(number);
        }
    }

    /// Waits for the next object. An interrupt loses none.
    ///
    /// @throws ObjectRefused when it is not let in, and [UnexpectedObject] when it is of another
    ///   kind: the next can be received
    /// @throws MessageAbandoned when its sender gave it up
    /// @throws PortClosed when this is or gets closed
    @SuppressWarnings("NullAway") // there is no limit
    public T receive() {
        var one = arriving.next();
        return one != null ? arriving.await(one, Arriving.NO_LIMIT) : take(await(), NO_END);
    }

    /// Waits for the next object, until all of it is here, but not longer than `limit`; null: none.
    /// One of which only a part has come by then is the next.
    ///
    /// @throws RuntimeException as [#receive()]
    public @Nullable T receive(Duration limit) {
        var end = tasks.deadline(limit);
        var there = poll();
        if (there != null) {
            return there;
        }
        var one = arriving.next();
        if (one != null) {
            return arriving.await(one, left(end));
        }
        var message = port.receive(limit);
        return message == null ? null : take(message, end);
    }

    /// The next object if all of it is here now, else null.
    ///
    /// @throws RuntimeException as [#receive()]
    public @Nullable T poll() {
        var one = arriving.next();
        if (one != null) {
            return arriving.await(one, 0);
        }
        var message = pollOrIdle();
        return message == null ? null : take(message, tasks.nanoTime());
    }

    private long left(long end) {
        return end == NO_END ? Arriving.NO_LIMIT : Math.max(0, end - tasks.nanoTime());
    }

    private ReadMessage await() {
        var there = taken.waits() ? pollOrIdle() : null;
        return there != null ? there : port.receive();
    }

    private @Nullable ReadMessage pollOrIdle() {
        var there = port.poll();
        if (there == null) {
            taken.idle();
        }
        return there;
    }

    /// @return null: not all of it was here by then
    private @Nullable T take(ReadMessage message, long end) {
        if (message.size() < 0) {
            return arriving.await(arriving.begin(message), left(end));
        }
        try (message) {
            return read(message);
        }
    }

    private T read(ReadMessage message) {
        try {
            return subject.read(message);
        } finally {
            taken.taken(message.sequenceNumber());
        }
    }

    /// The objects from now on, until this is closed, or all senders have gone that there were. For
    /// one loop at a time.
    @Override
    public Iterator<T> iterator() {
        loops = true;
        endIfLeft();
        return new Loop();
    }

    private final class Loop implements Iterator<T> {
        private @Nullable T ahead;

        @Override
        public boolean hasNext() {
            while (ahead == null) {
                try {
                    ahead = takeOrTell();
                } catch (PortClosed _) {
                    return false;
                }
            }
            return true;
        }

        private @Nullable T takeOrTell() {
            var one = arriving.next();
            if (one == null) {
                var message = await();
                if (message.size() >= 0) {
                    return takeOrTell(message);
                }
                one = arriving.begin(message);
            }
            try {
                return arriving.await(one, Arriving.NO_LIMIT);
            } catch (ObjectRefused | UnexpectedObject | ReadMismatch | MessageAbandoned e) {
                failing.failed(port, one.from(), e);
                return null;
            }
        }

        private @Nullable T takeOrTell(ReadMessage message) {
            var from = message.origin();
            try (message) {
                return read(message);
            } catch (ObjectRefused | UnexpectedObject | ReadMismatch | MessageAbandoned e) {
                failing.failed(port, from, e);
                return null;
            }
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException(port + " was closed");
            }
            var next = ahead;
            ahead = null;
            if (next == null) {
                throw new IbidemException("two threads share one loop over " + port);
            }
            return next;
        }
    }

    /// The port below: who is connected, how it waits, what it has received.
    public ReceivePort port() {
        return port;
    }

    /// Senders are told, and what they had sent is dropped.
    @Override
    public void close() {
        taken.close();
        port.close();
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
