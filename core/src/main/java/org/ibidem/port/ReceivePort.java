package org.ibidem.port;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.config.Limit;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The receiving end of message channels: one or, where its type says so, several send ports are
/// connected to it.
///
/// ```java
/// var in = ReceivePort.open(node, PortType.oneToOne(), "rows");
/// try (var message = in.receive()) {
///     int index = message.readInt();
///     message.readArray(row);
/// }
/// ```
///
/// Or, where its type has `upcalls`, messages are handed over as they come:
///
/// ```java
/// var setup = ReceiveSetup.USUAL.upcall(message -> log(message.readString()));
/// var in = ReceivePort.open(node, PortType.manyToOne().with(Capability.UPCALLS), "log", setup);
/// ```
///
/// The thread that receives does the polling itself. A reader that does not read blocks its
/// writers, and nothing grows. Any thread may use it; one message is live at a time and a second
/// receive waits.
///
/// A connection that broke is told once: to the [ConnectionUpcall] where there is one, else by
/// [#lostConnections] where the type has `connection-downcalls`, else by [ConnectionLost] from the
/// next receive that finds no message. The port goes on with the others.
public final class ReceivePort implements AutoCloseable {

    private final NodeRuntime runtime;
    private final PortType type;
    private final String name;
    private final String title; // made once: every message takes its turn under it
    private final Waiter waiter;
    private final Turn turn = new Turn();
    private final Inputs inputs;
    private final Upcalls upcalls;
    private final Ends ends;
    private final ReceiveSetup.Serving serving;
    private final boolean explicit;
    private final @Nullable NodeId only;
    private ReadMessage message;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean accepting = true;

    /// It was closed, connections came or went, or a loss is to be told. Set by any thread.
    private volatile boolean trouble;

    private ReceivePort(NodeRuntime runtime, PortType type, String name, ReceiveSetup setup) {
        this.runtime = runtime;
        this.type = PortProtocol.of(runtime).check(type);
        this.name = PortNames.check(name);
        this.title = "receive port '" + name + "'";
        this.serving = setup.check(type);
        this.explicit = serving == ReceiveSetup.Serving.EXPLICIT && type.has(Capability.EXPLICIT);
        this.waiter = new Waiter(runtime.waiting().below(setup.waiting));
        this.inputs = new Inputs(this, waiter, setup.coder(type), runtime.monitor());
        this.upcalls = new Upcalls(this, setup, polled(), runtime.tasks());
        this.ends = new Ends(this, turn, runtime.tasks());
        this.message = new ReadMessage(this, type);
        this.accepting = setup.accepting;
        this.only = setup.only;
    }

    /// A receive port of this node; from now on it accepts connections.
    ///
    /// @param name 1 to 255 bytes
    /// @throws PortNameTaken when this node has one of that name
    /// @throws RuntimeException as [SendPort#open] when the type or its stack cannot be
    public static ReceivePort open(Node node, PortType type, String name) {
        return open(node, type, name, ReceiveSetup.USUAL);
    }

    /// The same, set up in its own way, which the type must allow.
    public static ReceivePort open(Node node, PortType type, String name, ReceiveSetup setup) {
        return open(Runtimes.of(node), type, name, setup);
    }

    static ReceivePort open(NodeRuntime runtime, PortType type, String name, ReceiveSetup setup) {
        var port = new ReceivePort(runtime, type, name, setup);
        PortProtocol.of(runtime).add(port);
        runtime.closeWith(port);
        port.upcalls.enable(setup.accepting);
        if (port.serving == ReceiveSetup.Serving.UPCALLS) {
            port.upcalls.another();
        }
        return port;
    }

    /// Waits for the next message.
    ///
    /// @throws ConnectionLost once for each connection that broke (not for those closed in order),
    ///   where nobody is told otherwise; the port stays usable
    /// @throws PortClosed when the port is or gets closed
    public ReadMessage receive() {
        if (!explicit) {
            requireExplicit();
        }
        if (turn.tryTake()) {
            var mine = message; // once: the compiler goes on with what it knows of it
            if (!trouble && inputs.glance(mine.frame) && begins(mine)) {
                return mine;
            }
            return Objects.requireNonNull(receiveInTurn(Long.MAX_VALUE));
        }
        return Objects.requireNonNull(receive(Long.MAX_VALUE)); // it has no limit
    }

    /// Waits for the next message, but not longer than `limit`; the type has `timed`. Null: none.
    /// Its rest may come later: reads wait for it as long as the connection lives.
    public @Nullable ReadMessage receive(Duration limit) {
        requireExplicit();
        type.require(Capability.TIMED, "a time limit");
        return receive(waiter.deadline(limit));
    }

    /// The next message if there is one now, else null; the type has `poll`. Another thread that
    /// has a message in hand, or waits for one, is waited for a millisecond.
    public @Nullable ReadMessage poll() {
        requireExplicit();
        type.require(Capability.POLL, "poll()");
        return pollHere();
    }

    private void requireExplicit() {
        if (serving != ReceiveSetup.Serving.EXPLICIT) {
            throw new IllegalStateException(title + " hands its messages to its upcall");
        }
        type.require(Capability.EXPLICIT, "receive()");
    }

    @Nullable ReadMessage receive(long deadline) {
        if (!turn.take(title, deadline)) {
            return null; // another thread has it, with a message or waiting for one
        }
        return receiveInTurn(deadline);
    }

    private @Nullable ReadMessage receiveInTurn(long deadline) {
        try {
            boolean waits = waiter.begins(trouble, deadline); // nobody rings for what is known
            while (!pollOnce(waits ? waiter.more() : 0)) {
                if (!waits) {
                    waits = true;
                    waiter.begin(deadline);
                } else if (!waiter.idle(deadline)) {
                    if (pollWhereReady()) {
                        break;
                    }
                    ends.giveBack();
                    return null;
                }
            }
            waiter.found(waits);
            return message;
        } catch (InternalError e) {
            return afterCut(e, deadline);
        } catch (RuntimeException | Error e) {
            ends.giveBack();
            throw e;
        }
    }

    /// Begins the message that is there; false: it cannot be read. Holds the turn.
    private boolean begins(ReadMessage mine) {
        try {
            mine.begin(inputs.lender());
            return true;
        } catch (LinkBroken | InternalError e) { // of memory that was cut short: the next look, too
            return mine.isLive();
        }
    }

    /// Memory was cut short, told so late that a message may be in hand.
    private @Nullable ReadMessage afterCut(InternalError e, long deadline) {
        boolean inHand = message.isLive();
        try {
            inputs.broken(e);
        } finally {
            if (!inHand) {
                ends.giveBack();
            }
        }
        return inHand ? message : receive(deadline);
    }

    @Nullable ReadMessage pollHere() {
        if (!turn.takeNow(title)) {
            return null;
        }
        boolean found = false;
        try {
            found = pollOnce(0) || pollWhereReady();
        } finally {
            if (!found) {
                ends.giveBack();
            }
        }
        return found ? message : null;
    }

    /// Of several inputs, sockets are polled when known to be ready: who did not wait has to ask.
    private boolean pollWhereReady() {
        return waiter.look() && pollOnce(0);
    }

    /// Looks whether there is a message: once, or some times more.
    private boolean pollOnce(int more) {
        if (trouble && !settle()) {
            return false;
        }
        var frame = message.frame;
        try {
            if (!inputs.source().poll(frame, more)) {
                if (trouble) {
                    inputs.downcalls().throwLoss();
                }
                return false;
            }
            if ((frame.flags & (Frame.END | Frame.ABANDONED)) != 0) {
                inputs.noMessage(frame);
                return false;
            }
            message.begin(inputs.lender());
            return true;
        } catch (LinkBroken | InternalError e) { // the latter of memory that was cut short
            if (!message.isLive()) { // else it was told late
                frame.empty();
            }
            inputs.broken(e);
            return message.isLive();
        }
    }

    /// Sees to what has happened since the last message. Holds the turn.
    ///
    /// @return whether another message may begin
    private boolean settle() {
        trouble = false; // what happens from now on sets it again
        if (closed.get()) {
            trouble = true;
            throw new PortClosed(title);
        }
        boolean over = inputs.restIsOver();
        if (over && inputs.changed()) {
            inputs.rebuild();
        }
        if (!over || inputs.hasMore()) { // not |=, which could undo what another thread sets
            trouble = true;
        }
        return over;
    }

    /// The reader of the message in hand was interrupted while it skipped the rest: what follows is
    /// no message.
    void skipLater() {
        inputs.skipLater(message);
        trouble = true;
    }

    /// Something has happened that the reader must see to.
    void troubled() {
        trouble = true;
        waiter.ring();
    }

    /// Sees to connections that have ended, though nobody reads. Holds the turn, and has no message
    /// in hand.
    ///
    /// @param everywhere also to those that are not suspected
    void lookHere(boolean everywhere) {
        try {
            if (closed.get() || !settle()) {
                return;
            }
            inputs.look(everywhere);
            if (inputs.hasMore()) {
                trouble = true;
            }
        } catch (PortClosed _) {
            // just now: then its connections are gone anyway
        }
    }

    /// Ends what it holds; it is closed. Holds the turn.
    void closeHere() {
        try {
            inputs.close(Closing.IN_ORDER);
        } finally {
            waiter.close();
        }
    }

    Ends ends() {
        return ends;
    }

    NodeRuntime runtime() {
        return runtime;
    }

    /// Where the frames of the message in hand come from.
    FrameSource source() {
        return inputs.source();
    }

    boolean isFollowed() {
        return inputs.isFollowed();
    }

    void finished(ReadMessage which, long size) {
        inputs.count(size);
        try {
            if (serving != ReceiveSetup.Serving.EXPLICIT && upcalls.closedEarly(which)) {
                message = new ReadMessage(this, type); // its handler may still have the old one
            }
        } finally {
            ends.giveBack();
        }
    }

    /// If a message is there, hands it to the port's upcall, in this thread.
    ///
    /// @return whether there was one, and no other upcall was running
    /// @throws MessageAbandoned when its sender had given it up before the upcall could begin
    public boolean runUpcall() {
        if (serving != ReceiveSetup.Serving.POLLED) {
            throw new IllegalStateException(title + " was not set up with a polled upcall");
        }
        return upcalls.runNow();
    }

    /// From now on upcalls for messages are made.
    public void enableUpcalls() {
        upcalls.enable(true);
    }

    /// From now on, until enabled again, no upcall for a message begins; one may be running.
    /// Messages wait, and so do their senders.
    public void disableUpcalls() {
        upcalls.enable(false);
    }

    /// From now on connections are accepted.
    public void enableConnections() {
        accepting = true;
        runtime.channels().changed();
    }

    /// From now on, until enabled again, connections are not accepted; those there are go on. Who
    /// wants to connect waits for it, as long as its own limit says.
    public void disableConnections() {
        accepting = false;
    }

    /// Why send ports of this node may not connect; null: they may.
    @Nullable String refusal(NodeId peer) {
        return only == null || only.equals(peer)
                ? null
                : "it is opened for node "
                        + only.brief()
                        + " alone, and "
                        + peer.brief()
                        + " is another: connect to a port that is for all, or for this node";
    }

    boolean accepting() {
        return accepting && !closed.get();
    }

    boolean polled() {
        return serving == ReceiveSetup.Serving.POLLED;
    }

    Upcalls upcalls() {
        return upcalls;
    }

    /// Its connections, for the service that makes them.
    Inputs inputs() {
        return inputs;
    }

    /// Who is connected now.
    public List<Origin> connections() {
        ends.look();
        return inputs.origins();
    }

    /// The connections made since the last call, 4096 at most; the type has `connection-downcalls`.
    public List<Origin> newConnections() {
        type.require(Capability.CONNECTION_DOWNCALLS, "newConnections()");
        return inputs.downcalls().takeFresh();
    }

    /// The connections that are over since the last call, 4096 at most, with the reason; the type
    /// has `connection-downcalls`.
    public List<Lost<Origin>> lostConnections() {
        type.require(Capability.CONNECTION_DOWNCALLS, "lostConnections()");
        ends.look();
        return inputs.downcalls().takeLost();
    }

    /// Ends the connections from this send port, now or when the message in hand is closed. Their
    /// sender is told; what it had sent and is not received yet is dropped. Nobody is told here.
    ///
    /// @return false: there is none
    public boolean disconnect(Origin from) {
        return inputs.end(from);
    }

    /// Accepts no more connections, waits until every sender has disconnected, and closes. Somebody
    /// must receive meanwhile what was sent: a sender's end stands behind its messages. Those that
    /// are still connected at the end of `limit` are treated as by [#close]; a task waits for the
    /// message in another's hand.
    ///
    /// @return whether all had disconnected
    public boolean close(Duration limit) {
        long deadline = waiter.deadline(limit);
        disableConnections();
        boolean all = ends.await(limit);
        if (stops()) {
            ends.closeWithin(waiter.left(deadline));
        }
        return all;
    }

    /// Closes the port: senders are told, and what they had sent is dropped. When a message is in
    /// this thread's own hand, that happens when it is closed. One in another's hand is waited for,
    /// 10 seconds at most; then its sender is told without that.
    @Override
    public void close() {
        if (stops()) {
            ends.close(Limit.CLOSE.get());
        }
    }

    /// @return false: it was closed before
    private boolean stops() {
        if (closed.getAndSet(true)) {
            return false;
        }
        upcalls.close();
        troubled();
        PortProtocol.of(runtime).remove(this);
        runtime.closed(this);
        return true;
    }

    boolean isClosed() {
        return closed.get();
    }

    /// Messages received so far: read to their end, or closed.
    public long messages() {
        return inputs.received().messages();
    }

    /// Bytes of the messages received so far, tags included.
    public long bytes() {
        return inputs.received().bytes();
    }

    /// How it waits from now on; null: as its node does.
    public void waiting(@Nullable WaitPolicy policy) {
        waiter.choose(policy);
    }

    /// Its name.
    public String name() {
        return name;
    }

    /// Its type.
    public PortType type() {
        return type;
    }

    @Override
    public String toString() {
        return title;
    }
}
