package org.ibidem.messaging;

import java.time.Duration;
import org.ibidem.config.Limit;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.NotConnected;
import org.ibidem.port.PortClosed;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A subscription at the subscriber's end: says to the publisher how far it is, every few objects
/// and before it waits. While it lasts, the publisher sends.
final class Subscribing implements Receiver.Taken {
    private static final int EVERY = Feed.WINDOW / 4;

    private final SendPort out;
    private long last = -1;
    private long said = -1;

    private Subscribing(SendPort out) {
        this.out = out;
    }

    static <T> Receiver<T> open(
            Node node, Subject<T> subject, NodeId publisher, @Nullable OriginHandler<T> handler) {
        var name = Backs.name(node, subject.name());
        var out = SendPort.open(node, Publisher.credits(), name);
        var type = Publisher.data(subject);
        var making =
                new Receiver.Making<>(name, type, handler, new Subscribing(out), true, publisher);
        var in = Receiver.make(node, subject, making);
        try {
            out.connect(publisher, subject.name(), Limit.CONNECT.get());
        } catch (RuntimeException e) {
            in.close();
            throw e;
        }
        return in;
    }

    @Override
    public synchronized void taken(long number) {
        last = number;
        if (last - said >= EVERY) {
            say();
        }
    }

    @Override
    public synchronized void idle() {
        if (last > said) {
            say();
        }
    }

    @Override
    public boolean waits() {
        return true;
    }

    /// Where there is no room for it now, it is said later.
    private void say() {
        try (var message = out.newMessage(Duration.ZERO)) {
            if (message != null) {
                message.writeLong(last).finish();
                said = last;
            }
        } catch (ConnectionLost | NotConnected | PortClosed _) {
            said = last; // the end of what it sends is told to the receiver
        }
    }

    @Override
    public void close() {
        out.close(Duration.ofSeconds(1));
    }
}
