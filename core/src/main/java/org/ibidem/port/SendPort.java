package org.ibidem.port;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.config.Limit;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.Monitor;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The sending end of message channels, connected to one receive port or, where its type says so,
/// to several: then each message goes to all of them.
///
/// ```java
/// var out = SendPort.open(node, PortType.oneToOne(), "rows");
/// out.connect(peer, "rows");
/// try (var message = out.newMessage()) {
///     message.writeInt(7).writeArray(row);
///     message.finish();
/// }
/// ```
///
/// Any thread may use it; one message is live at a time and a second [#newMessage] waits.
///
/// A connection that is over is told once: to the [LossUpcall] where there is one, else by
/// [#lostConnections] where the type has `connection-downcalls`, else by [ConnectionLost] from the
/// next use. The other connections go on.
public final class SendPort implements AutoCloseable {

    /// The size of a message that was given up; an empty one has 0.
    static final long NOT_SENT = -1;

    private final NodeRuntime runtime;
    private final PortType type;
    private final String name;

    /// Made once: every message takes its turn under this title.
    private final String title;

    private final Waiter waiter;
    private final Turn turn = new Turn();
    private final WriteMessage message;
    private final Outputs outputs;
    private final GivenUp givenUp;

    /// Where its messages wait.
    final RoomWait room;

    private final Monitor.Row row;
    private final boolean numbered;
    private final Numbers numbers;

    /// There is something to see to before the next message: the port was closed, a connection is
    /// over, or there is none. Set by any thread.
    private volatile boolean trouble = true;

    private final SendPortEnd end;

    private SendPort(NodeRuntime runtime, PortType type, String name, SendSetup setup) {
        this.runtime = runtime;
        this.type = PortProtocol.of(runtime).check(type);
        this.name = PortNames.check(name);
        this.title = "send port '" + name + "'";
        if (setup.lost != null) {
            type.require(Capability.CONNECTION_UPCALLS, "a LossUpcall");
        }
        this.waiter = new Waiter(runtime.waiting().below(setup.waiting));
        this.message = new WriteMessage(this, type, ObjectCoder.of(type));
        this.numbered = type.has(Capability.NUMBERED);
        this.row = runtime.monitor().row(title);
        waiter.tally(row.tally());
        this.outputs = new Outputs(this, runtime, waiter, message, setup.lost);
        this.end = new SendPortEnd(this, outputs, waiter);
        this.givenUp = new GivenUp(this, outputs, message, runtime.tasks());
        this.room = new RoomWait(this, outputs, message, waiter, runtime.tasks());
        this.numbers = setup.numbers != null ? setup.numbers : new Numbers();
    }

    /// A send port of this node that is connected to a receive port, within 20 seconds.
    ///
    /// @throws RuntimeException as [#open(Node, PortType, String)] and [#connect(NodeId, String)]
    public static SendPort open(Node node, PortType type, String name, Target to) {
        var port = open(node, type, name);
        try {
            port.connect(to.node(), to.port());
        } catch (RuntimeException e) {
            port.close();
            throw e;
        }
        return port;
    }

    /// A send port of this node, not connected yet. Names of send ports need not differ; they have
    /// 1 to 255 bytes.
    ///
    /// @throws org.ibidem.config.NotationException when the type's stack cannot be read
    /// @throws org.ibidem.config.SettingException when the stack that is set from outside cannot be
    /// @throws IllegalArgumentException when the type is reliable and its stack is not, or there is
    ///   no such serializer
    public static SendPort open(Node node, PortType type, String name) {
        return open(node, type, name, SendSetup.USUAL);
    }

    /// The same, set up in its own way.
    ///
    /// @throws IllegalStateException when the type cannot do what the setup asks for
    public static SendPort open(Node node, PortType type, String name, SendSetup setup) {
        var runtime = Runtimes.of(node);
        var numbers = Numbers.of(node, PortProtocol.of(runtime).check(type));
        return open(runtime, type, name, setup.numbers(numbers));
    }

    static SendPort open(NodeRuntime runtime, PortType type, String name, SendSetup setup) {
        var port = new SendPort(runtime, type, name, setup);
        runtime.closeWith(port.end);
        return port;
    }

    /// Connects, within 20 seconds.
    public void connect(NodeId to, String receivePort) {
        connect(to, receivePort, Limit.CONNECT.get());
    }

    /// Connects to a receive port of another node, or of this one; waits for it when it is not
    /// there yet. Messages that are written meanwhile go to the others.
    ///
    /// @throws IllegalStateException when it is connected already: to another port where the type
    ///   allows but one, or to this one
    /// @throws ConnectRefused when the other node says no; it says why
    /// @throws org.ibidem.connect.Unreachable when the node cannot be reached, or does not answer
    ///   within the limit; with every address tried, or the cause
    /// @throws org.ibidem.registry.Departed when this node is no member of its pool any more
    /// @throws PortClosed when this port is, or is closed meanwhile
    /// @throws org.ibidem.arbitration.WaitInterrupted when the thread is interrupted meanwhile
    public void connect(NodeId to, String receivePort, Duration limit) {
        var target = new Target(to, PortNames.check(receivePort));
        outputs.connect(target, limit);
    }

    /// Connects to several receive ports at once, each within the limit.
    ///
    /// @return who was reached, and who was not and why
    public Connected connect(Collection<Target> targets, Duration limit) {
        targets.forEach(target -> PortNames.check(target.port()));
        return outputs.connect(List.copyOf(targets), limit);
    }

    /// A new message. Waits while another one of this port is live.
    ///
    /// @throws NotConnected when the port is connected to nobody
    /// @throws ConnectionLost when a connection is over and nobody was told so yet
    /// @throws org.ibidem.registry.HubUnreachable where the type is `total`: when the hub does not
    ///   answer within 10 s
    /// @throws org.ibidem.registry.coordination.PoolRestarted where the type is `total`: once, when
    ///   the hub was started again without its state, and the numbers begin anew
    public WriteMessage newMessage() {
        turn.take(title);
        try {
            ready(Long.MAX_VALUE, null);
            var mine = message; // once: the compiler goes on with what it knows of it
            mine.begin(numbered ? numbers.next() : 0);
            return mine;
        } catch (InternalError e) {
            throw notBegun(e);
        } catch (RuntimeException | Error e) {
            turn.giveBack();
            throw e;
        }
    }

    /// A new message that has all its room within `limit`, from its turn to its end; none is waited
    /// for with `Duration.ZERO`. Where there is none for a later part it throws [WriteTimedOut],
    /// and is given up when it is closed. What was finished in time is sent, if need be by a task.
    ///
    /// @return null: another message of this port is in hand, or there is no room, all that time
    /// @throws RuntimeException as [#newMessage()]
    public @Nullable WriteMessage newMessage(Duration limit) {
        return newMessage(waiter.deadline(limit), null);
    }

    /// The same until a moment of [System#nanoTime], with no part of the room waited for longer
    /// than `patience` (null: as long as may be): who takes nothing does not keep its writer till
    /// then.
    public @Nullable WriteMessage newMessage(long end, @Nullable Duration patience) {
        if (!turn.take(title, end)) {
            return null;
        }
        boolean mine = false;
        try {
            mine = begins(end, patience);
        } catch (InternalError e) {
            mine = true;
            throw notBegun(e);
        } finally {
            if (!mine) {
                turn.giveBack();
            }
        }
        return mine ? message : null;
    }

    private boolean begins(long end, @Nullable Duration patience) {
        try {
            ready(end, patience);
        } catch (WriteTimedOut _) { // by what is still owed for the message before
            return false;
        }
        if (!room.lets()) {
            return false;
        }
        message.begin(numbered ? numbers.next() : 0);
        return true;
    }

    private ConnectionLost notBegun(InternalError e) {
        try {
            return message.notBegun(e);
        } finally {
            turn.giveBack();
        }
    }

    /// A message may begin, which has its room by then. Holds the turn.
    private void ready(long deadline, @Nullable Duration patience) {
        room.until(deadline, patience);
        if (trouble) {
            settle();
        }
    }

    /// Sees to what has happened since the last message.
    private void settle() {
        trouble = false; // what happens from now on sets it again
        requireOpen();
        outputs.settle();
        var lost = outputs.untold();
        if (lost != null || outputs.isEmpty()) {
            trouble = true;
            throw lost != null ? lost : new NotConnected(name);
        }
        if (givenUp.isOwed()) {
            trouble = true; // should the wait end otherwise
            givenUp.pay();
        }
    }

    /// Something has happened that the next message must see to; whoever waits sees to it now.
    void troubled() {
        trouble = true;
        waiter.ring();
    }

    /// Sends what [WriteMessage#finishHeld] kept back.
    public void flush() {
        turn.take(title);
        try {
            ready(Long.MAX_VALUE, null);
            room.push();
        } finally {
            turn.giveBack();
        }
    }

    /// The same without waiting: a task sends what there is no room for now.
    ///
    /// @return false: a message of this port is in hand, which takes along what was kept back
    public boolean tryFlush() {
        return room.tryPush();
    }

    /// Whether all that was finished so far is on the network, but for what
    /// [WriteMessage#finishHeld] kept back. Where it is not, [#flush] waits for it, and throws if
    /// its connection breaks.
    public boolean isFlushed() {
        return !room.owes();
    }

    boolean isTroubled() {
        return trouble;
    }

    void requireOpen() {
        if (end.isClosed()) {
            throw new PortClosed(title);
        }
    }

    /// All connections are broken; answers what to throw. Holds the turn.
    ConnectionLost lost(LinkBroken e) {
        trouble = true;
        return outputs.allLost(e);
    }

    /// The same where nothing can be thrown: the next use says it. Holds the turn.
    void lostInSilence(LinkBroken e) {
        trouble = true;
        outputs.allLostInSilence(e);
    }

    /// The memory of a connection was cut short. Holds the turn.
    ///
    /// @return whether it is known of which, and others are left
    boolean losesOne() {
        return outputs.losesOne();
    }

    /// The message in hand is over; lets the next one begin, and tells of connections that were
    /// lost under this one.
    ///
    /// @param size of one that was sent, or [#NOT_SENT]
    void finished(long size) {
        boolean sent = size != NOT_SENT;
        if (sent) {
            outputs.count(size);
        }
        if (trouble && (sent || end.isClosed())) {
            finishedInTrouble(sent);
        } else {
            turn.giveBack();
        }
    }

    private void finishedInTrouble(boolean sent) {
        ConnectionLost lost = null;
        try {
            outputs.settle();
            if (!end.isClosed()) {
                lost = outputs.untoldBreaks();
            } else if (end
                    .isBrokenOff()) { // this message was in hand, perhaps in the hand that closed
                outputs.leaveAll(waiter.deadline(Duration.ZERO), false);
                waiter.close();
                lost = sent ? new ConnectionLost(title + " was closed with it in hand") : null;
            }
        } finally {
            turn.giveBack();
        }
        if (lost != null) {
            throw lost;
        }
    }

    /// Ends the message in hand without finishing it. Its receivers are told now where there is
    /// room for that, else before the next message; nobody waits for it here.
    void abandon() {
        try {
            if (!givenUp.tell()) {
                trouble = true;
            }
        } catch (LinkBroken e) {
            lostInSilence(e);
        } catch (InternalError e) {
            lostInSilence(LinkBroken.cut(e));
        }
    }

    /// Ends all connections, after all finished messages; does nothing when there is none. A
    /// receiver that makes no room for the end within 10 seconds loses its link. Returns once what
    /// was finished has arrived, as [#close(Duration)].
    public void disconnect() {
        disconnect(Limit.CLOSE.get());
    }

    /// The same with another limit for the receivers, all together. It begins when no other thread
    /// has a message in hand.
    ///
    /// @return as [#close(Duration)]
    public boolean disconnect(Duration limit) {
        room.takeTurn();
        try {
            return outputs.leaveAll(waiter.deadline(limit), true);
        } finally {
            turn.giveBack();
        }
    }

    /// Ends the connection to one receive port, as [#disconnect()] all of them.
    ///
    /// @return false: there was none
    public boolean disconnect(NodeId from, String receivePort) {
        return disconnect(from, receivePort, Limit.CLOSE.get());
    }

    /// The same with a limit, as for [#disconnect(Duration)].
    public boolean disconnect(NodeId from, String receivePort, Duration limit) {
        room.takeTurn();
        try {
            return outputs.leave(new Target(from, receivePort), waiter.deadline(limit));
        } finally {
            turn.giveBack();
        }
    }

    /// Disconnects and closes, within 10 seconds.
    @Override
    public void close() {
        close(Limit.CLOSE.get());
    }

    /// Disconnects and closes, within a limit, and waits that long until everything that was
    /// finished has arrived: the other end has acknowledged it, or the system has it, which sends
    /// it on. A thread that waits for room gets [PortClosed]. When a message stays in hand all that
    /// time, or is in this thread's own hand, its connections are given up, and their receivers
    /// told; so is that of a receiver that makes no room for the end.
    ///
    /// @return false: something may be lost; what was not acknowledged in time is sent on for 10
    ///   seconds more, as long as the node is open
    public boolean close(Duration limit) {
        return end.close(limit);
    }

    void ends() {
        runtime.closed(end);
        row.close();
    }

    boolean isClosed() {
        return end.isClosed();
    }

    /// Where the frames of messages go.
    FrameSink sink() {
        return message.sink;
    }

    Turn turn() {
        return turn;
    }

    /// Whom it is connected to.
    public List<Target> connections() {
        return outputs.targets();
    }

    /// The way of a connection's data, as it is now; null when there is no such connection.
    public @Nullable Way way(Target to) {
        return outputs.way(to);
    }

    /// That of the only connection.
    ///
    /// @throws IllegalStateException when there are several; [NotConnected] when there is none
    public Way way() {
        return outputs.way();
    }

    /// How it waits from now on; null: as its node does.
    public void waiting(@Nullable WaitPolicy policy) {
        waiter.choose(policy);
    }

    /// The connections that are over since the last call; the type has `connection-downcalls`. At
    /// most 4096 are kept.
    public List<Lost<Target>> lostConnections() {
        type.require(Capability.CONNECTION_DOWNCALLS, "lostConnections()");
        return outputs.takeLost();
    }

    /// Messages finished so far.
    public long messages() {
        return outputs.sent().messages();
    }

    /// Bytes of the messages finished so far, tags included; each message counts once, however many
    /// receivers it has.
    public long bytes() {
        return outputs.sent().bytes();
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
