package org.ibidem.messaging;

import java.time.Duration;
import java.util.Objects;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.NotConnected;
import org.ibidem.port.PortClosed;
import org.ibidem.port.SendPort;
import org.ibidem.port.WriteTimedOut;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;

/// Sends objects to one receiver, in order; made by [Subject#sender]. Any thread may use it.
///
/// @param <T> the kind of object
public final class Sender<T> implements AutoCloseable {
    private final SendPort port;

    private Sender(SendPort port) {
        this.port = port;
    }

    static <T> Sender<T> open(Node node, Subject<T> subject, NodeId to, Duration limit) {
        var port = SendPort.open(node, subject.type(), subject.name());
        try {
            port.connect(to, subject.name(), limit);
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
        return new Sender<>(port);
    }

    /// Sends an object; blocks while the receiver does not keep up.
    ///
    /// @throws ConnectionLost when the receiver is gone, once; then
    ///   [NotConnected][org.ibidem.port.NotConnected]
    /// @throws org.ibidem.port.ObjectRefused when the object cannot be sent
    public void send(T object) {
        write(port, object);
    }

    /// Sends an object if there is room for it in time. Of a large one a part may have gone by
    /// then; the receiver skips it.
    ///
    /// @return false: there was none, nothing of it counts
    /// @throws RuntimeException as [#send(Object)]
    public boolean send(T object, Duration limit) {
        return write(port, object, limit);
    }

    /// Sends an object if there is room for it now; neither waits nor throws for want of a
    /// receiver.
    ///
    /// @throws org.ibidem.port.ObjectRefused when the object cannot be sent
    public Offered offer(T object) {
        return offer(port, object);
    }

    static void write(SendPort port, Object object) {
        try (var message = port.newMessage()) {
            message.writeObject(Objects.requireNonNull(object)).finish();
        }
    }

    static boolean write(SendPort port, Object object, Duration limit) {
        Objects.requireNonNull(object);
        try (var message = port.newMessage(limit)) {
            if (message == null) {
                return false;
            }
            message.writeObject(object).finish();
            return true;
        } catch (WriteTimedOut _) {
            return false;
        }
    }

    static Offered offer(SendPort port, Object object) {
        try {
            return write(port, object, Duration.ZERO) ? Offered.SENT : Offered.FULL;
        } catch (ConnectionLost | NotConnected | PortClosed _) {
            return Offered.GONE;
        }
    }

    /// The port below: over what it goes, how it waits, what it has sent.
    public SendPort port() {
        return port;
    }

    /// Ends the connection behind what was sent, within 10 seconds.
    @Override
    public void close() {
        port.close();
    }

    @Override
    public String toString() {
        return port.toString();
    }
}
