package org.ibidem.messaging;

import java.time.Duration;
import org.ibidem.config.Limit;
import org.ibidem.port.Capability;
import org.ibidem.port.Data;
import org.ibidem.port.FailureUpcall;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A name and the kind of object that is sent under it: what both ends of a conversation know of
/// it. Immutable, and best a constant that they share.
///
/// ```java
/// static final Subject<Task> TASKS = Subject.of("tasks", Task.class);
///
/// try (var out = TASKS.sender(node, worker)) {          // at one end
///     out.send(new Task(7));
/// }
/// try (var in = TASKS.receiver(node)) {                 // at the other
///     for (var task : in) {
///         work(task);
///     }
/// }
/// ```
///
/// What a receiver lets in is what the kind is made of: the class itself, what a sealed type
/// permits, and the types of the components of records. More is let in by [#allow(Class)].
///
/// @param <T> the kind of object
public final class Subject<T> {

    private final String name;
    private final Class<T> kind;
    private final PortType type;
    private final ObjectPolicy allowed;
    private final @Nullable FailureUpcall failures;

    private Subject(
            String name,
            Class<T> kind,
            PortType type,
            ObjectPolicy allowed,
            @Nullable FailureUpcall failures) {
        this.name = name;
        this.kind = kind;
        this.type = type;
        this.allowed = allowed;
        this.failures = failures;
    }

    /// A subject.
    ///
    /// @param name of the receive ports, 1 to 255 bytes
    /// @param kind of the objects; a box for a primitive
    public static <T> Subject<T> of(String name, Class<T> kind) {
        var type =
                PortType.manyToOne()
                        .with(Capability.UPCALLS, Capability.CONNECTION_UPCALLS)
                        .data(Data.OBJECT);
        var allowed = Shapes.allow(ObjectPolicy.NOTHING_BUT_VALUES, kind);
        return new Subject<>(name, kind, type, allowed, null);
    }

    /// Over this stack, as in [PortType#stack]; at both ends.
    public Subject<T> stack(String notation) {
        return new Subject<>(name, kind, type.stack(notation), allowed, failures);
    }

    /// Whose objects may be lost, as may be wanted for slow receivers and for networks that lose
    /// some; at both ends.
    public Subject<T> lossy() {
        var less = type.without(Capability.RELIABLE);
        return new Subject<>(name, kind, less, allowed, failures);
    }

    /// Letting in objects of this class, and of what it is made of, too.
    public Subject<T> allow(Class<?> more) {
        return allow(Shapes.allow(allowed, more));
    }

    /// Letting in what this policy does, and nothing else.
    public Subject<T> allow(ObjectPolicy policy) {
        return new Subject<>(name, kind, type, policy, failures);
    }

    /// What goes wrong with an object at this end is told to this, instead of being logged: that
    /// its handler threw, or, where nobody asked for it by [Receiver#receive], that it was not let
    /// in.
    public Subject<T> failures(FailureUpcall hook) {
        return new Subject<>(name, kind, type, allowed, hook);
    }

    /// Sends to a receiver of another node, or of this one; connects within 20 seconds.
    ///
    /// @throws org.ibidem.port.ConnectRefused when the other node has no such port, or it takes no
    ///   more connections
    /// @throws org.ibidem.connect.Unreachable when the node cannot be reached, or does not answer
    ///   within the limit
    /// @throws org.ibidem.registry.Departed when this node is no member of its pool any more
    /// @throws org.ibidem.arbitration.WaitInterrupted when the thread is interrupted meanwhile
    public Sender<T> sender(Node node, NodeId to) {
        return sender(node, to, Limit.CONNECT.get());
    }

    /// The same within another limit.
    public Sender<T> sender(Node node, NodeId to, Duration limit) {
        return Sender.open(node, this, to, limit);
    }

    /// Receives what is asked for, from any number of senders.
    ///
    /// @throws org.ibidem.port.PortNameTaken when this node receives under this name already
    public Receiver<T> receiver(Node node) {
        return Receiver.open(node, this, null);
    }

    /// Receives, and hands over each object as it comes.
    public Receiver<T> receiver(Node node, Handler<T> handler) {
        return originReceiver(node, (object, _) -> handler.received(object));
    }

    /// Receives, and hands over each object as it comes, with whom it came from.
    public Receiver<T> originReceiver(Node node, OriginHandler<T> handler) {
        return Receiver.open(node, this, handler);
    }

    /// Sends to all other members of the node's pool and receives from them, whoever joins and
    /// leaves; all of them must have one.
    public PoolPort<T> poolPort(Node node) {
        return PoolPort.open(node, this, null);
    }

    /// The same, and hands over each object as it comes.
    public PoolPort<T> poolPort(Node node, Handler<T> handler) {
        return originPoolPort(node, (object, _) -> handler.received(object));
    }

    /// The same, and hands over each object as it comes, with whom it came from.
    public PoolPort<T> originPoolPort(Node node, OriginHandler<T> handler) {
        return PoolPort.open(node, this, handler);
    }

    /// Publishes to whoever subscribes.
    ///
    /// @param overflow what one gets that does not keep up
    /// @throws IllegalArgumentException when that is to miss objects, and the subject is not
    ///   [#lossy]
    public Publisher<T> publisher(Node node, Overflow<? super T> overflow) {
        return Publisher.open(node, this, overflow);
    }

    /// Subscribes to what another node, or this one, publishes.
    public Receiver<T> subscriber(Node node, NodeId publisher) {
        return Subscribing.open(node, this, publisher, null);
    }

    /// The same, and hands over each object as it comes.
    public Receiver<T> subscriber(Node node, NodeId publisher, Handler<T> handler) {
        return Subscribing.open(node, this, publisher, (object, _) -> handler.received(object));
    }

    /// The name of the receive ports.
    public String name() {
        return name;
    }

    /// The kind of the objects.
    public Class<T> kind() {
        return kind;
    }

    /// The type of the ports: who has such ports can be the other end.
    public PortType type() {
        return type;
    }

    ReceiveSetup setup() {
        var setup = ReceiveSetup.USUAL.allow(allowed);
        return failures == null ? setup : setup.failures(failures);
    }

    @Nullable FailureUpcall failures() {
        return failures;
    }

    T read(ReadMessage message) {
        return cast(kind, message.readObject());
    }

    static <T> T cast(Class<T> kind, @Nullable Object object) {
        if (object == null) {
            throw new org.ibidem.IbidemException("null came where an object was expected");
        }
        if (!kind.isInstance(object)) {
            throw new UnexpectedObject(object, kind);
        }
        return kind.cast(object);
    }

    @Override
    public String toString() {
        return "subject '" + name + "'";
    }
}
