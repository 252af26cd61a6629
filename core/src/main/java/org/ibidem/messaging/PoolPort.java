package org.ibidem.messaging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Subscription;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Sends to all other members of a pool and receives from all of them, following those that join
/// and leave; made by [Subject#poolPort]. Each member has one under the same name.
///
/// A send goes to all who are members when it begins, this node excepted. One that has not opened
/// its port yet is waited for, once, for 20 seconds at most; then it gets what is sent after it
/// has. The objects of one member arrive in its order; those of several in any.
///
/// @param <T> the kind of object
public final class PoolPort<T> implements Iterable<T>, AutoCloseable {
    private final Node node;
    private final Subject<T> subject;
    private final Receiver<T> in;
    private final Map<NodeId, Line<T>> lines = new HashMap<>();
    private final Subscription events;
    private boolean closed;

    private PoolPort(Node node, Subject<T> subject, @Nullable OriginHandler<T> handler) {
        this.node = node;
        this.subject = subject;
        this.in =
                Receiver.make(
                        node,
                        subject,
                        new Receiver.Making<>(
                                subject.name(),
                                subject.type(),
                                handler,
                                Receiver.Taken.NOTHING,
                                false,
                                null));
        this.events = node.events(this::heard);
    }

    static <T> PoolPort<T> open(Node node, Subject<T> subject, @Nullable OriginHandler<T> handler) {
        node.members(); // throws where this node does not want to know of others
        var port = new PoolPort<>(node, subject, handler);
        port.follow();
        return port;
    }

    private void heard(PoolEvent event) {
        switch (event) {
            case PoolEvent.Joined _, PoolEvent.Left _, PoolEvent.Died _, PoolEvent.Missed _ ->
                    follow();
            default -> {}
        }
    }

    private List<Line<T>> lines() {
        synchronized (lines) {
            if (closed) {
                throw new IllegalStateException(this + " is closed");
            }
        }
        return follow();
    }

    /// Has a line to each member there is now, and to nobody else.
    private List<Line<T>> follow() {
        var members =
                node.members().stream()
                        .filter(member -> !member.id().equals(node.id()))
                        .collect(Collectors.toMap(Member::id, member -> member));
        synchronized (lines) {
            if (closed) {
                return List.of();
            }
            lines.entrySet()
                    .removeIf(each -> {
                        boolean gone = !members.containsKey(each.getKey());
                        if (gone) {
                            each.getValue().drop();
                        }
                        return gone;
                    });
            members.forEach(
                    (id, _) -> lines.computeIfAbsent(id, _ -> new Line<>(node, subject, id)));
            return new ArrayList<>(lines.values());
        }
    }

    /// Sends an object to all other members; blocks while one of them does not keep up.
    ///
    /// @return to how many it went
    /// @throws org.ibidem.port.ObjectRefused when the object cannot be sent
    public int send(T object) {
        Objects.requireNonNull(object);
        int sent = 0;
        for (var line : lines()) {
            sent += line.send(object) ? 1 : 0;
        }
        return sent;
    }

    /// Sends an object to those other members that have room for it within a limit, all together.
    ///
    /// @return what became of it, by member
    /// @throws org.ibidem.port.ObjectRefused when the object cannot be sent
    public Map<NodeId, Offered> send(T object, Duration limit) {
        Objects.requireNonNull(object);
        var tasks = Runtimes.of(node).tasks();
        long end = tasks.deadline(limit);
        var results = new HashMap<NodeId, Offered>();
        for (var line : lines()) {
            long left = Math.max(0, end - tasks.nanoTime());
            results.put(line.to(), line.send(object, Duration.ofNanos(left)));
        }
        return results;
    }

    /// The next object of whichever member.
    ///
    /// @throws RuntimeException as [Receiver#receive()]
    public T receive() {
        return in.receive();
    }

    /// The next object within a limit; null: none.
    ///
    /// @throws RuntimeException as [Receiver#receive()]
    public @Nullable T receive(Duration limit) {
        return in.receive(limit);
    }

    /// The objects from now on, until this is closed.
    @Override
    public Iterator<T> iterator() {
        return in.iterator();
    }

    /// The members that this is connected to now.
    public List<NodeId> connected() {
        synchronized (lines) {
            return lines.values().stream().filter(Line::isConnected).map(Line::to).toList();
        }
    }

    /// Where objects come in.
    public Receiver<T> receiver() {
        return in;
    }

    /// Ends all connections, behind what was sent.
    @Override
    public void close() {
        events.close();
        List<Line<T>> all;
        synchronized (lines) {
            closed = true;
            all = new ArrayList<>(lines.values());
            lines.clear();
        }
        all.forEach(Line::close);
        in.close();
    }

    @Override
    public String toString() {
        return "pool port '" + subject.name() + "'";
    }
}
