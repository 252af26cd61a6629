package org.ibidem.port;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Sleepy;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.service.OutChannel;
import org.ibidem.service.Station;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The sending end of a message channel, connected to one receive port.
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
public final class SendPort implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SendPort.class.getName());
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final Station station;
    private final PortType type;
    private final String name;

    /// Made once: every message takes its turn under this title.
    private final String title;

    private final ObjectCoder objects;
    private final Waiter waiter;
    private final Turn turn = new Turn();
    private final WriteMessage message = new WriteMessage(this);

    private @Nullable OutChannel out;
    private volatile @Nullable Target target;
    private volatile boolean closed;
    private @Nullable String over;
    private long messages;
    private long bytes;

    private SendPort(Station station, PortType type, String name, WaitPolicy policy) {
        this.station = station;
        this.type = PortProtocol.of(station).check(type);
        this.name = PortNames.check(name);
        this.title = "send port '" + name + "'";
        this.objects = ObjectCoder.of(type, ObjectPolicy.NOTHING_BUT_VALUES);
        this.waiter = new Waiter(policy);
    }

    /// A send port of this node, not connected yet. Names of send ports need not differ.
    public static SendPort open(Node node, PortType type, String name) {
        return open(node, type, name, Waiting.usual());
    }

    /// The same, with its own way of waiting.
    public static SendPort open(Node node, PortType type, String name, WaitPolicy policy) {
        return open(node.station(), type, name, policy);
    }

    static SendPort open(Station station, PortType type, String name, WaitPolicy policy) {
        var port = new SendPort(station, type, name, policy);
        station.closeWith(port);
        return port;
    }

    /// Connects, within 20 seconds.
    public void connect(NodeId to, String receivePort) {
        connect(to, receivePort, CONNECT_LIMIT);
    }

    /// Connects to a receive port of another node, or of this one; waits for it when it is not
    /// there yet.
    ///
    /// @throws IllegalStateException when it is connected already
    /// @throws ConnectRefused when the other node says no; it says why
    /// @throws org.ibidem.connect.Unreachable when the node cannot be reached; with every address
    ///   tried
    public void connect(NodeId to, String receivePort, Duration limit) {
        turn.take(toString());
        try {
            requireOpen();
            if (out != null) {
                throw new IllegalStateException(
                        this + " is connected to " + target + " already; disconnect it first");
            }
            var whom = new Target(to, PortNames.check(receivePort));
            var made =
                    PortProtocol.of(station)
                            .connect(whom, new Origin(station.id(), name), type, limit);
            if (closed) {
                made.broken("the send port was closed while it was being connected");
                made.detached();
                throw new PortClosed(title);
            }
            attach(made, whom);
        } finally {
            turn.giveBack();
        }
    }

    private void attach(OutChannel made, Target to) {
        message.forget();
        out = made;
        target = to;
        over = null;
        if (made.sink() instanceof Sleepy sleepy) {
            waiter.add(sleepy);
        }
        made.whenClosed(this::receiverClosed);
    }

    /// A new message. Waits while another one of this port is live.
    ///
    /// @throws NotConnected when the port is connected to nobody
    /// @throws ConnectionLost when the receiver closed or is gone; the port is then no longer
    ///   connected
    public WriteMessage newMessage() {
        turn.take(toString());
        try {
            requireUsable();
            message.begin();
            return message;
        } catch (RuntimeException | Error e) {
            finished(0);
            throw e;
        }
    }

    /// Sends what [WriteMessage#finishHeld] kept back.
    public void flush() {
        turn.take(toString());
        try {
            requireUsable();
            push();
        } finally {
            turn.giveBack();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new PortClosed(toString());
        }
    }

    private OutChannel requireUsable() {
        requireOpen();
        var mine = out;
        if (mine != null && mine.closedBecause() != null) {
            leave(mine);
        }
        var why = over;
        if (why != null) {
            over = null;
            throw new ConnectionLost(why);
        }
        if (mine == null) {
            throw new NotConnected(name);
        }
        return mine;
    }

    /// Room for at least `atLeast` bytes; blocks while there is none: the receiver's pace is the
    /// sender's.
    void claim(Frame room, int atLeast) {
        var mine = requireUsable();
        try {
            if (mine.sink().claim(room, atLeast)) {
                return;
            }
            mine.sink().push(); // a reader that sleeps must learn what it has, or it makes no room
            waiter.begin(Long.MAX_VALUE);
            while (!mine.sink().claim(room, atLeast)) {
                requireUsable();
                waiter.idle(Long.MAX_VALUE);
            }
            waiter.found();
        } catch (LinkBroken e) {
            throw lost(mine, e);
        }
    }

    boolean commit(Frame room, int flags) {
        var mine = out;
        if (mine == null) {
            throw new NotConnected(name);
        }
        try {
            return mine.sink().commit(room, flags);
        } catch (LinkBroken e) {
            throw lost(mine, e);
        }
    }

    /// Blocks until all that was committed is on the network.
    void push() {
        var mine = out;
        if (mine == null) {
            return;
        }
        try {
            if (mine.sink().push()) {
                return;
            }
            waiter.begin(Long.MAX_VALUE);
            while (!mine.sink().push()) {
                requireOpen();
                waiter.idle(Long.MAX_VALUE);
            }
            waiter.found();
        } catch (LinkBroken e) {
            throw lost(mine, e);
        }
    }

    private ConnectionLost lost(OutChannel mine, LinkBroken e) {
        var was = target;
        var known = mine.closedBecause();
        var why = known != null ? known : String.valueOf(e.getMessage());
        mine.broken(why);
        detach(mine);
        return new ConnectionLost("the connection to " + was + " is lost: " + why, e);
    }

    private void detach(OutChannel mine) {
        if (out != mine) {
            return;
        }
        out = null;
        target = null;
        if (mine.sink() instanceof Sleepy sleepy) {
            waiter.remove(sleepy);
        }
        message.forget();
        mine.detached();
    }

    /// The message in hand is over; lets the next one begin.
    void finished(long size) {
        if (size > 0) {
            messages++;
            bytes += size;
        }
        turn.giveBack();
    }

    /// Called by the node's service when the receiver closed: whoever waits for room finds out now,
    /// others at their next use.
    private void receiverClosed() {
        waiter.ring();
        if (turn.tryTake()) {
            try {
                var mine = out;
                if (mine != null && mine.closedBecause() != null) {
                    leave(mine);
                }
            } finally {
                turn.giveBack();
            }
        }
    }

    /// The receiver wants no more: says END, so that the link lives on for others, and keeps the
    /// reason for the next use.
    private void leave(OutChannel mine) {
        over = "the connection to " + target + " is over: " + mine.closedBecause();
        leave(mine, waiter.deadline(CLOSE_LIMIT));
    }

    private void leave(OutChannel mine, long deadline) {
        try {
            end(mine, deadline);
        } finally {
            detach(mine); // without an end the link goes with it
        }
    }

    /// Ends the message in hand without finishing it, even in a thread that was interrupted. Where
    /// that cannot be said to the receiver, the link goes: else the next message would look like
    /// its rest.
    void abandon(Frame room) {
        var mine = out;
        if (mine == null) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        boolean said = false;
        try {
            long deadline = waiter.deadline(CLOSE_LIMIT);
            said = roomUntil(mine, room, deadline);
            if (said && !mine.sink().commit(room, Frame.ABANDONED)) {
                said = pushedUntil(mine, deadline);
            }
        } catch (LinkBroken e) {
            LOG.log(Level.DEBUG, "{0}: a message was abandoned on a broken link", this);
        } finally {
            if (!said) {
                mine.broken("a message was given up, and its reader did not make room to hear it");
                detach(mine);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean roomUntil(OutChannel mine, Frame room, long deadline) {
        mine.sink().push(); // as in claim: frames that were held back may fill the ring
        waiter.begin(deadline);
        while (!mine.sink().claim(room, 0)) {
            if (!waiter.idle(deadline)) {
                return false;
            }
        }
        return true;
    }

    private boolean pushedUntil(OutChannel mine, long deadline) {
        while (!mine.sink().push()) {
            if (!waiter.idle(deadline)) {
                return false;
            }
        }
        return true;
    }

    /// Tells the receiver that nothing follows; the link itself lives on for others. Where the
    /// receiver makes no room in time, the link is broken instead.
    private void end(OutChannel mine, long deadline) {
        var room = new Frame();
        try {
            message.forget();
            boolean said = roomUntil(mine, room, deadline);
            if (said && !mine.sink().commit(room, Frame.END)) {
                said = pushedUntil(mine, deadline);
            }
            if (said) {
                mine.ended();
            } else {
                LOG.log(Level.WARNING, "{0}: {1} did not read, its link is closed", this, target);
                mine.broken("its reader did not make room for the end");
            }
        } catch (LinkBroken e) {
            LOG.log(Level.DEBUG, "{0} was disconnected from a broken link", this);
        }
    }

    /// Ends the connection, after all finished messages; does nothing when there is none.
    public void disconnect() {
        turn.take(title);
        try {
            var mine = out;
            over = null;
            if (mine != null) {
                leave(mine, waiter.deadline(CLOSE_LIMIT));
            }
        } finally {
            turn.giveBack();
        }
    }

    /// Disconnects and closes, within 10 seconds. Whoever waits for room in another thread gets
    /// [PortClosed]. When a message stays in hand all that time, or is in this thread's own hand,
    /// its link is broken.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        waiter.ring();
        station.closed(this);
        if (!turn.take(CLOSE_LIMIT)) {
            var mine = out;
            if (mine != null) {
                mine.broken("its send port was closed with a message in hand");
            }
            return;
        }
        try {
            var mine = out;
            if (mine != null) {
                leave(mine, waiter.deadline(CLOSE_LIMIT));
            }
        } finally {
            waiter.close();
            turn.giveBack();
        }
    }

    /// Whom it is connected to.
    public Optional<Target> target() {
        return Optional.ofNullable(target);
    }

    ObjectCoder objects() {
        return objects;
    }

    /// Messages finished so far.
    public long messages() {
        return messages;
    }

    /// Bytes of the messages finished so far.
    public long bytes() {
        return bytes;
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
