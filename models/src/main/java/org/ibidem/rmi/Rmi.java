package org.ibidem.rmi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.time.Duration;
import java.util.Optional;
import org.ibidem.port.PortType;
import org.ibidem.registry.Node;
import org.ibidem.rmi.frame.CallSettings;
import org.ibidem.rmi.frame.Exchange;
import org.ibidem.rmi.frame.Reference;
import org.ibidem.rmi.frame.Stub;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.serial.ObjectReader;
import org.ibidem.serial.ObjectWriter;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One node's part in remote calls, as in `java.rmi`: it exports objects whose interfaces extend
/// [Remote], and calls those of others.
///
/// ```java
/// public interface Counter extends Remote {
///     int add(int value) throws RemoteException;
/// }
///
/// var rmi = Rmi.open(node);
/// rmi.names().bind("counter", rmi.export(new Total()));                 // at one node
/// var counter = rmi.names().lookup("counter", Counter.class);           // at another
/// int sum = counter.add(5);
/// ```
///
/// Arguments and results travel by value, as [org.ibidem.serial] has it; what two of them share
/// they share at the other end, too, within one call. Remote objects travel by reference and arrive
/// as stubs, also back home. Calls through a stub of an object of this node copy as all others do.
///
/// A call runs once at most: where its reply is lost, [ReplyLost] says that it may have run. What
/// the method throws, the caller gets, with both stack traces. What cannot be sent, reached or read
/// is one of the exceptions of `java.rmi`.
///
/// What comes is let in only if the methods of known remote interfaces say so, or [Options#policy].
public final class Rmi implements AutoCloseable {
    private final Part part;
    private final Names names;

    /// How a node takes part.
    ///
    /// @param stack over which calls and replies go, in the stack notation; the same at all nodes
    /// @param running calls that run here at once, those that wait for calls of their own not
    ///   counted; more wait at their callers
    /// @param policy what is let in besides what remote interfaces say, and the bounds
    /// @param loader finds the classes of what comes
    /// @param interruptible whether a thread that is interrupted ends its call
    public record Options(
            String stack,
            int running,
            ObjectPolicy policy,
            ClassLoader loader,
            boolean interruptible) {
        /// Over what the selector chooses; 4096 calls; nothing more let in; the loader of the
        /// thread that makes it; interruptible.
        public static Options usual() {
            var mine = Thread.currentThread().getContextClassLoader();
            return new Options(
                    PortType.AUTO,
                    4096,
                    ObjectPolicy.NOTHING_BUT_VALUES,
                    mine != null ? mine : ClassLoader.getSystemClassLoader(),
                    true);
        }

        /// Over this stack.
        public Options stack(String notation) {
            return new Options(notation, running, policy, loader, interruptible);
        }

        /// With so many calls at once.
        public Options running(int most) {
            return new Options(stack, most, policy, loader, interruptible);
        }

        /// Letting in this, too.
        public Options policy(ObjectPolicy more) {
            return new Options(stack, running, more, loader, interruptible);
        }

        /// Finding classes there.
        public Options loader(ClassLoader from) {
            return new Options(stack, running, policy, from, interruptible);
        }

        /// Having calls go on though their threads are interrupted, whose status is kept: as in
        /// `java.rmi`, where that holds for platform threads, and a virtual thread ends its call.
        public Options uninterruptible() {
            return new Options(stack, running, policy, loader, false);
        }
    }

    Rmi(Part part) {
        this.part = part;
        this.names = new Names(part);
    }

    /// A node's part; one for each node. Close it before the node.
    ///
    /// @throws org.ibidem.port.PortNameTaken when the node has one, or a port `rmi`
    public static Rmi open(Node node) {
        return open(node, Options.usual());
    }

    /// The same with options.
    public static Rmi open(Node node, Options options) {
        if (options.running < 1) {
            throw new IllegalArgumentException("1 running call or more, not " + options.running);
        }
        return new Rmi(new Part(node, options));
    }

    /// From now on others can call this object, who have been given it: by name, or in a call. As
    /// in `java.rmi` it stays as long as somebody refers to it, here (to the object, or a stub) or
    /// at another node; when the last node has no stub of it any more, an object that is a
    /// [java.rmi.server.Unreferenced] is told.
    ///
    /// @return a stub, with all its remote interfaces
    /// @throws IllegalArgumentException when it has none, or one is not as remote ones must be
    /// @throws IllegalStateException when it is exported already
    public Remote export(Remote object) {
        var made = part.export(object, 0);
        return (Remote) part.stub(made.reference(), made.types(), CallSettings.USUAL);
    }

    /// The same with the type that is wanted.
    public <T extends Remote> T export(T object, Class<T> type) {
        return type.cast(export(object));
    }

    /// The same for an active object: its calls run one at a time, in the order of their coming, so
    /// it needs no locks. A call of its own to itself, through its stub, waits for ever, and so
    /// does a circle of such calls: give those a time limit.
    ///
    /// @param waiting calls that wait for their turn at most; others fail, and nothing of them runs
    public Remote activate(Remote object, int waiting) {
        if (waiting < 1) {
            throw new IllegalArgumentException("1 waiting call or more, not " + waiting);
        }
        var made = part.export(object, 0, waiting);
        return (Remote) part.stub(made.reference(), made.types(), CallSettings.USUAL);
    }

    /// The stub of an object that is exported.
    ///
    /// @throws NoSuchObjectException when it is not
    public Remote stub(Remote object) throws NoSuchObjectException {
        var known = part.exports().of(object);
        if (known == null) {
            throw new NoSuchObjectException(
                    "this object is not exported: a " + object.getClass().getName());
        }
        return (Remote) part.stub(known.reference(), known.types(), CallSettings.USUAL);
    }

    /// Nobody can call it any more; calls that run go on.
    ///
    /// @return false: it was not exported
    public boolean unexport(Remote object) {
        return part.exports().remove(object) != null;
    }

    /// Whether others can call this object.
    public boolean isExported(Remote object) {
        return part.exports().of(object) != null;
    }

    /// Whether a call of this object runs.
    public boolean isRunning(Remote object) {
        var known = part.exports().of(object);
        return known != null && known.isRunning();
    }

    /// The names of the pool, and those of single nodes.
    public Names names() {
        return names;
    }

    /// A stub of the same object whose calls last so long at most; then they end with
    /// [CallTimedOut]. The method may have run; its thread is interrupted.
    public <T> T within(T stub, Duration limit) {
        var settings =
                new CallSettings(org.ibidem.task.Tasks.nanos(limit), of(stub).settings().oneWay());
        return again(stub, settings);
    }

    /// A stub of the same object whose methods without result do not wait until they have run, and
    /// do not say whether they have, or what they threw.
    public <T> T oneWay(T stub) {
        return again(stub, new CallSettings(of(stub).settings().limit(), true));
    }

    @SuppressWarnings("unchecked") // it has the same interfaces
    private <T> T again(T stub, CallSettings settings) {
        return (T) part.again(of(stub), settings);
    }

    /// A stub with the interfaces of another one, for an object that is known otherwise.
    @SuppressWarnings("unchecked") // it has the same interfaces
    <T> T again(T like, Reference reference) {
        return (T) part.again(of(like), reference);
    }

    /// A stub of the same object with a remote interface that it is said to have: one that it has
    /// got since, or that its reference does not name. Methods that it has not fail when they are
    /// called, with an [java.rmi.UnmarshalException].
    public <T extends Remote> T cast(Object stub, Class<T> type) {
        return type.cast(part.cast(of(stub), type));
    }

    /// A stub of the same object with an interface beside its own, whose methods have the names and
    /// parameters of remote ones and give a [java.util.concurrent.CompletableFuture] for the
    /// result, or nothing. Cancelling the future cancels the call.
    ///
    /// @throws IllegalArgumentException when one has not
    public <A> A beside(Object stub, Class<A> type) {
        return type.cast(part.beside(of(stub), type));
    }

    private static Stub of(Object object) {
        var stub = Stub.of(object);
        if (stub == null) {
            throw new IllegalArgumentException("no stub: " + object);
        }
        return stub;
    }

    /// Whose call this thread runs; none: it runs none.
    public Optional<NodeId> caller() {
        var from = part.serving().calledBy();
        return from == null ? Optional.empty() : Optional.of(from.node());
    }

    /// Where an object is that a stub stands for.
    public static NodeId home(Object stub) {
        return of(stub).reference().node();
    }

    /// An object as it travels in a call, remote ones in it as references, which keep nothing.
    ///
    /// @throws java.io.NotSerializableException when something in it cannot travel
    public byte[] bytes(@Nullable Object object) throws IOException {
        var out = new ByteArrayOutputStream();
        var before = Exchange.enter(part);
        try (var writer = ObjectWriter.to(out)) {
            writer.write(object);
            return out.toByteArray();
        } finally {
            leave(before);
        }
    }

    /// The object that such bytes are of; remote ones in it are stubs.
    ///
    /// @throws java.io.InvalidClassException when something in it is not let in, as in a call
    /// @throws ClassNotFoundException when a class of it is not there
    public @Nullable Object object(byte[] bytes) throws IOException, ClassNotFoundException {
        var before = Exchange.enter(part);
        try (var reader = ObjectReader.from(new ByteArrayInputStream(bytes), part.policy())) {
            return reader.read();
        } finally {
            leave(before);
        }
    }

    private static void leave(@Nullable Exchange before) {
        Exchange.enter(before);
        if (before == null) {
            InFlight.begin(); // no message refers to what these bytes do
        }
    }

    /// How many objects are exported here.
    public int exported() {
        return part.exports().count() - 1; // without what every node has
    }

    /// Exports nothing any more, gives calls that run here 2 seconds for their replies, and calls
    /// no more: calls under way end with [ReplyLost].
    @Override
    public void close() {
        names.close();
        part.close();
    }
}
