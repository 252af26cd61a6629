package org.ibidem.port;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.LinkBroken;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectPolicy;
import org.ibidem.service.Station;
import org.jspecify.annotations.Nullable;

/// The receiving end of message channels: one, or with a many-to-one type several, send ports are
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
/// The thread that receives does the polling itself. A reader that does not read blocks its
/// writers, and nothing grows. Any thread may use it; one message is live at a time and a second
/// receive waits.
public final class ReceivePort implements AutoCloseable {
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    private static final int MOST_LOSSES = 64;
    private static final Input[] NONE = {};

    private final Station station;
    private final PortType type;
    private final String name;

    /// Made once: every message takes its turn under this title.
    private final String title;

    private final ObjectCoder objects;
    private final Waiter waiter;

    /// For the rest of a message: waits for its connection only, whatever comes over others.
    private final Waiter middle;

    private @Nullable Input inMiddle;

    private final Turn turn = new Turn();
    private final ReadMessage message = new ReadMessage(this);
    private final ArrayDeque<ConnectionLost> losses = new ArrayDeque<>();

    private volatile Input[] inputs = NONE;
    private @Nullable Origin reserved;
    private volatile boolean closed;
    private volatile boolean lossesWaiting;
    private int next;
    private long messages;
    private long bytes;

    private ReceivePort(
            Station station, PortType type, String name, ObjectPolicy allowed, WaitPolicy policy) {
        this.station = station;
        this.type = PortProtocol.of(station).check(type);
        this.name = PortNames.check(name);
        this.title = "receive port '" + name + "'";
        this.objects = ObjectCoder.of(type, allowed);
        this.waiter = new Waiter(policy);
        this.middle = new Waiter(policy);
    }

    /// A receive port of this node; from now on it accepts connections.
    ///
    /// @throws PortNameTaken when this node has one of that name
    public static ReceivePort open(Node node, PortType type, String name) {
        return open(node, type, name, ObjectPolicy.NOTHING_BUT_VALUES, Waiting.usual());
    }

    /// The same, with what objects it lets in and its own way of waiting.
    public static ReceivePort open(
            Node node, PortType type, String name, ObjectPolicy allowed, WaitPolicy policy) {
        return open(node.station(), type, name, allowed, policy);
    }

    static ReceivePort open(
            Station station, PortType type, String name, ObjectPolicy allowed, WaitPolicy policy) {
        var port = new ReceivePort(station, type, name, allowed, policy);
        PortProtocol.of(station).add(port);
        station.closeWith(port);
        return port;
    }

    /// Waits for the next message.
    ///
    /// @throws ConnectionLost once for each connection that broke (not for those closed in order);
    ///   the port stays usable
    /// @throws PortClosed when the port is or gets closed
    public ReadMessage receive() {
        var got = receive(Long.MAX_VALUE);
        if (got == null) {
            throw new AssertionError("a wait without a limit has ended");
        }
        return got;
    }

    /// Waits for the next message, but not longer than `limit`.
    ///
    /// @return null when there was none in time
    public @Nullable ReadMessage receive(Duration limit) {
        return receive(waiter.deadline(limit));
    }

    private @Nullable ReadMessage receive(long deadline) {
        turn.take(toString());
        try {
            if ((closed || lossesWaiting) && pollOnce()) {
                return message; // nobody would ring for what is known already
            }
            waiter.begin(deadline);
            while (!pollOnce()) {
                if (!waiter.idle(deadline)) {
                    turn.giveBack();
                    return null;
                }
            }
            waiter.found();
            return message;
        } catch (RuntimeException | Error e) {
            turn.giveBack();
            throw e;
        }
    }

    /// The next message if there is one now, else null.
    public @Nullable ReadMessage poll() {
        turn.take(toString());
        try {
            if (pollOnce()) {
                return message;
            }
        } catch (RuntimeException | Error e) {
            turn.giveBack();
            throw e;
        }
        turn.giveBack();
        return null;
    }

    /// Looks at every connection once, beginning after the one that had the last message: none can
    /// starve another.
    private boolean pollOnce() {
        if (closed) {
            throw new PortClosed(toString());
        }
        var all = inputs;
        for (int i = 0; i < all.length; i++) {
            int at = next < all.length ? next : 0;
            next = at + 1;
            if (poll(all[at])) {
                return true;
            }
        }
        if (lossesWaiting) {
            throwLoss();
        }
        return false;
    }

    private boolean poll(Input input) {
        var frame = message.frame();
        try {
            if (!input.source().poll(frame)) {
                requireThere(input);
                return false;
            }
        } catch (LinkBroken e) {
            lost(input, e);
            return false;
        }
        if ((frame.flags & (Frame.END | Frame.ABANDONED)) != 0) {
            frame.empty();
            if ((frame.flags & Frame.END) != 0) {
                remove(input);
                input.ended();
            }
            return false;
        }
        message.begin(input);
        return true;
    }

    /// A link may not notice by itself that nobody is at the other end any more.
    private static void requireThere(Input input) {
        var gone = input.channel().goneBecause();
        if (gone != null) {
            throw new LinkBroken(gone);
        }
    }

    /// The next frame of the message in hand.
    void next(Input input, Frame frame) {
        try {
            if (input.source().poll(frame)) {
                requireGoingOn(input, frame);
                return;
            }
            var waiting = waitingFor(input);
            try {
                waiting.begin(Long.MAX_VALUE);
                while (!input.source().poll(frame)) {
                    idleInMiddle(input, waiting);
                }
                waiting.found();
            } finally {
                input.ringAt(waiter);
            }
        } catch (LinkBroken e) {
            frame.flags = 0;
            remove(input);
            var why = reason(input, e);
            input.broken(why);
            throw new ConnectionLost(
                    "the connection from "
                            + input.origin()
                            + " was lost in the middle of a message: "
                            + why,
                    e);
        }
        requireGoingOn(input, frame);
    }

    /// Who waits for the rest of a message: where there is but one connection, the port's own
    /// waiter.
    @SuppressWarnings("ReferenceEquality") // this one, not one like it
    private Waiter waitingFor(Input input) {
        var all = inputs;
        if (all.length == 1 && all[0] == input) {
            return waiter;
        }
        if (inMiddle != input) {
            if (inMiddle != null) {
                middle.remove(inMiddle.sleepy());
            }
            middle.add(input.sleepy());
            inMiddle = input;
        }
        input.ringAt(middle);
        return middle;
    }

    private void requireGoingOn(Input input, Frame frame) {
        if ((frame.flags & Frame.END) != 0) {
            frame.flags = 0;
            remove(input);
            input.ended();
            throw new ConnectionLost(
                    "the connection from "
                            + input.origin()
                            + " was closed in the middle of a message");
        }
    }

    private void idleInMiddle(Input input, Waiter waiting) {
        if (closed) {
            throw new PortClosed(toString());
        }
        requireThere(input);
        waiting.idle(Long.MAX_VALUE);
    }

    private void ring() {
        waiter.ring();
        middle.ring();
    }

    void finished(long size) {
        messages++;
        bytes += size;
        turn.giveBack();
    }

    private void lost(Input input, LinkBroken e) {
        remove(input);
        var why = reason(input, e);
        input.broken(why);
        lost(new ConnectionLost("the connection from " + input.origin() + " is lost: " + why, e));
    }

    /// Who ended a link knows more than the link.
    private static String reason(Input input, LinkBroken e) {
        var known = input.channel().goneBecause();
        return known != null ? known : String.valueOf(e.getMessage());
    }

    private void lost(ConnectionLost loss) {
        synchronized (losses) {
            if (losses.size() < MOST_LOSSES) {
                losses.add(loss);
            }
            lossesWaiting = true;
        }
    }

    private void throwLoss() {
        synchronized (losses) {
            var loss = losses.poll();
            lossesWaiting = !losses.isEmpty();
            if (loss != null) {
                throw loss;
            }
        }
    }

    /// Keeps a place for a connection that is being made; says why not, or null.
    synchronized @Nullable String reserve(Origin from) {
        if (closed) {
            return "it is being closed";
        }
        if (type.connections() == PortType.Connections.ONE_TO_ONE) {
            var has = inputs.length > 0 ? inputs[0].origin() : reserved;
            if (has != null) {
                return "it is one-to-one and connected to " + has + " already";
            }
            reserved = from;
        }
        return null;
    }

    /// The connection could not be made after all.
    synchronized void unreserve() {
        reserved = null;
    }

    /// A connection is there.
    synchronized void add(Input input) {
        reserved = null;
        if (closed) {
            input.refuseRest("the receive port was closed");
            return;
        }
        var more = Arrays.copyOf(inputs, inputs.length + 1);
        more[inputs.length] = input;
        inputs = more;
        waiter.add(input.sleepy());
        input.channel().whenClosed(this::ring);
        waiter.ring();
    }

    /// The sender gave up while connecting and never used this connection.
    synchronized void cancel(Input input) {
        remove(input);
        waiter.ring();
    }

    private synchronized void remove(Input input) {
        inputs = Stream.of(inputs).filter(other -> !other.equals(input)).toArray(Input[]::new);
        waiter.remove(input.sleepy());
        if (input.equals(inMiddle)) {
            middle.remove(input.sleepy());
            inMiddle = null;
        }
    }

    /// Who is connected now.
    public List<Origin> connections() {
        return Stream.of(inputs).map(Input::origin).toList();
    }

    /// Closes the port: senders are told, and what they had sent is dropped. A message in hand
    /// elsewhere is waited for, 10 seconds at most; then, or when it is in this thread's own hand,
    /// the links are broken.
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        ring();
        PortProtocol.of(station).remove(this);
        station.closed(this);
        boolean mine = turn.take(CLOSE_LIMIT);
        for (var input : inputs) {
            remove(input);
            if (mine) {
                input.refuseRest("the receive port was closed");
            } else {
                input.broken("the receive port was closed with a message in hand");
            }
        }
        if (mine) {
            waiter.close();
            middle.close();
            turn.giveBack();
        }
    }

    ObjectCoder objects() {
        return objects;
    }

    /// Messages received so far.
    public long messages() {
        return messages;
    }

    /// Bytes of the messages received so far.
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
