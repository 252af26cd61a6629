package org.ibidem.messaging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.ibidem.IbidemException;
import org.ibidem.config.Limit;
import org.ibidem.port.Capability;
import org.ibidem.port.ObjectRefused;
import org.ibidem.port.Origin;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.task.Tasks;

/// Publishes objects to whoever subscribes, each subscriber at its own pace; made by
/// [Subject#publisher]. What is published while nobody subscribes is gone, but for what is
/// [retained][Overflow#retain].
///
/// Objects may wait here before they are written: they must not be changed any more.
///
/// @param <T> the kind of object
public final class Publisher<T> implements AutoCloseable {

    private final Overflow<? super T> overflow;
    private final Failing failing;
    private final Backs backs;
    private final ReceivePort port;
    private final Tasks clock;
    private final Map<Origin, Feed<T>> feeds = new ConcurrentHashMap<>();

    /// The last objects, by key. Also the lock under which objects get their order.
    private final Map<Object, T> retained = new LinkedHashMap<>();

    private long dropped;

    private Publisher(Node node, Subject<T> subject, Overflow<? super T> overflow) {
        this.clock = Runtimes.of(node).tasks();
        this.overflow = overflow;
        this.failing = new Failing(subject.failures());
        this.backs = new Backs(node, data(subject), new Subscribers());
        this.port =
                ReceivePort.open(
                        node,
                        credits(),
                        subject.name(),
                        subject.setup().connections(backs).upcall(this::credit));
    }

    static <T> Publisher<T> open(Node node, Subject<T> subject, Overflow<? super T> overflow) {
        if (subject.type().has(Capability.RELIABLE) && overflow.kind != Overflow.Kind.BLOCK) {
            throw new IllegalArgumentException(
                    subject
                            + " promises that objects arrive, and a publisher with "
                            + overflow
                            + " drops some: use Subject.lossy() at both ends, or Overflow.block()");
        }
        return new Publisher<>(node, subject, overflow);
    }

    /// Over which objects go to subscribers: numbered, so that these can say how far they are.
    static PortType data(Subject<?> subject) {
        return subject.type().with(Capability.NUMBERED);
    }

    /// Over which subscribers come, and say how far they are.
    static PortType credits() {
        return PortType.manyToOne()
                .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                .named("credits");
    }

    private final class Subscribers implements Backs.Watcher {
        @Override
        public void came(Backs.Back back) {
            var feed = new Feed<T>(back.to(), overflow);
            synchronized (retained) {
                feed.addAll(retained.values());
                feeds.put(back.to(), feed);
            }
            if (backs.to(back.to()) == null) {
                left(back.to()); // meanwhile
                return;
            }
            serve(back, feed);
        }

        @Override
        public void left(Origin from) {
            var feed = feeds.remove(from);
            if (feed != null) {
                feed.close();
                synchronized (retained) {
                    dropped += feed.delivery().dropped();
                }
            }
        }
    }

    private void serve(Backs.Back back, Feed<T> feed) {
        SendPort port;
        try {
            port = back.port();
        } catch (IbidemException _) {
            feed.close(); // it is gone, or cannot be reached
            return;
        }
        feed.run(object -> write(port, object, back));
    }

    private void write(SendPort port, T object, Backs.Back back) {
        try {
            Sender.write(port, object);
        } catch (ObjectRefused | Error e) { // of a class's own methods: those that follow go out
            failing.failed(back.receivePort(), back.to(), e);
        }
    }

    private void credit(ReadMessage message) {
        var feed = feeds.get(message.origin());
        if (feed != null) {
            feed.taken(message.readLong());
        }
    }

    /// Publishes an object to all who have subscribed.
    public void publish(T object) {
        Objects.requireNonNull(object);
        synchronized (retained) {
            if (overflow.retains) {
                retain(object);
            }
            for (var feed : feeds.values()) {
                feed.add(object);
            }
        }
    }

    private void retain(T object) {
        var key = overflow.key(object);
        retained.remove(key); // the newest are the last
        retained.put(key, object);
        if (retained.size() > overflow.depth) {
            retained.remove(retained.keySet().iterator().next());
        }
    }

    /// How it stands with those that subscribe now.
    public List<Delivery> deliveries() {
        var list = new ArrayList<Delivery>();
        feeds.values().forEach(feed -> list.add(feed.delivery()));
        return list;
    }

    /// Objects that were dropped, or replaced by later ones, of all subscribers there ever were.
    public long dropped() {
        synchronized (retained) {
            return dropped + deliveries().stream().mapToLong(Delivery::dropped).sum();
        }
    }

    /// Sends what waits, for at most 10 seconds, and ends.
    @Override
    public void close() {
        long end = clock.deadline(Limit.CLOSE.get());
        for (var feed : feeds.values()) {
            feed.drained(Duration.ofNanos(Math.max(1, end - clock.nanoTime())));
        }
        backs.close();
        port.close();
    }

    @Override
    public String toString() {
        return "publisher at " + port;
    }
}
