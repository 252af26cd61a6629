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
    private final Subject<T> subject;
    private final ReceivePort port;
    private final Failing failing;

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
    record Making<T>(
            String port,
            PortType type,
            @Nullable OriginHandler<T> handler,
            Taken taken,
            boolean ends) {}

    private Receiver(Node node, Subject<T> subject, Making<T> making) {
        this.subject = subject;
        this.taken = making.taken;
        this.ends = making.ends;
        this.failing = new Failing(subject.failures());
        var setup = subject.setup().connections(new Senders());
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
                new Making<>(subject.name(), subject.type(), handler, Taken.NOTHING, true));
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
        handler.received(subject.read(message), message.origin());
        taken.taken(number);
    }

    /// Waits for the next object.
    ///
    /// @throws ObjectRefused when it is not let in, and [UnexpectedObject] when it is of another
    ///   kind: the next can be received
    /// @throws MessageAbandoned when its sender gave it up
    /// @throws PortClosed when this is or gets closed
    public T receive() {
        try (var message = await()) {
            return take(message);
        }
    }

    /// Waits for the next object, but not longer than `limit`; null: none.
    ///
    /// @throws RuntimeException as [#receive()]
    public @Nullable T receive(Duration limit) {
        var there = poll();
        if (there != null) {
            return there;
        }
        try (var message = port.receive(limit)) {
            return message == null ? null : take(message);
        }
    }

    /// The next object if there is one now, else null.
    ///
    /// @throws RuntimeException as [#receive()]
    public @Nullable T poll() {
        try (var message = pollOrIdle()) {
            return message == null ? null : take(message);
        }
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

    private T take(ReadMessage message) {
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
            var message = await();
            var from = message.origin();
            try (message) {
                return take(message);
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
