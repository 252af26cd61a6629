package org.ibidem.port;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.RingSource;
import org.ibidem.monitor.Monitor;
import org.ibidem.service.InChannel;
import org.jspecify.annotations.Nullable;

/// The connections of a receive port. The node's service adds them at any time; the reader, who has
/// the port's turn, puts `multireceive` over them between two messages, and lets go of them.
final class Inputs {
    private static final int MOST_KEPT = 4096;
    private static final int MOST_UNEXPLAINED = 3;
    private static final System.Logger LOG = System.getLogger(Inputs.class.getName());
    private static final Input[] NONE = {};

    private final ReceivePort port;
    private final Waiter waiter;
    private final ObjectCoder coder;

    /// Those there are now; changed with the lock of this object.
    private volatile Input[] all = NONE;

    /// Those the source was built over.
    private Input[] built = NONE;

    /// To one that is in the middle of a message.
    private boolean listening;

    private volatile boolean cancellations;
    private boolean closed;

    private FrameSource source = NoSource.INSTANCE;

    /// The ring that everything comes over; null: there is more than one, or more to it.
    private @Nullable RingSource ring;

    /// Who lent the frame in hand, where there are several.
    private @Nullable Input lender;

    private final ArrayDeque<Lost<Origin>> lost = new ArrayDeque<>();
    private final ArrayDeque<Origin> fresh = new ArrayDeque<>();
    private final ArrayDeque<ConnectionLost> untold = new ArrayDeque<>();
    private @Nullable Origin reserved;

    /// Somebody else would have that place.
    private boolean awaited;

    /// The message that was closed before its rest had come.
    private @Nullable ReadMessage rest;

    private final Monitor monitor;
    private final Monitor.Row mine;
    private final MessageCount received = new MessageCount();

    private int unexplained;

    Inputs(ReceivePort port, Waiter waiter, ObjectCoder coder, Monitor monitor) {
        this.port = port;
        this.coder = coder;
        this.waiter = waiter;
        this.monitor = monitor;
        this.mine = monitor.row(port.toString());
        waiter.tally(mine.tally());
    }

    /// A row of counters for a connection.
    Monitor.Row row(Origin origin) {
        return monitor.row(port + " from " + origin);
    }

    /// A message of whoever lent the frame in hand was read.
    void count(long size) {
        if (!received.count(size)) {
            lender().tally.count(size);
        }
    }

    MessageCount received() {
        return received;
    }

    /// Keeps a place for a connection that is being made, if there is one and the program wants it.
    Place place(Origin from) {
        var place = reserve(from);
        if (!(place instanceof Place.Reserved)) {
            return place;
        }
        var refused = port.upcalls().connecting(from);
        if (refused != null) {
            unreserve();
            return new Place.Unwanted(refused);
        }
        return place;
    }

    private synchronized Place reserve(Origin from) {
        if (port.isClosed()) {
            return new Place.Taken("it is being closed");
        }
        var connections = port.type().connections();
        if (connections.severalSenders()) {
            return new Place.Reserved();
        }
        for (var input : all) {
            if (!input.cancelled) { // else about to be let go of
                return new Place.Taken(
                        "it is "
                                + connections
                                + " and connected to "
                                + input.origin
                                + " already: disconnect that one first, or use a type for many"
                                + " senders");
            }
        }
        if (reserved != null) {
            awaited = true;
            return new Place.Kept(
                    "it is " + connections + ", and " + reserved + " is about to connect to it");
        }
        reserved = from;
        return new Place.Reserved();
    }

    /// The connection could not be made after all.
    synchronized void unreserve() {
        reserved = null;
        tellWhoAwaits();
    }

    /// It is known what became of the connection for which a place was kept.
    private void tellWhoAwaits() {
        if (awaited) {
            awaited = false;
            port.station().channels().changed();
        }
    }

    /// A connection is there.
    void add(Origin origin, InChannel channel) {
        var input = new Input(this, origin, channel, coder.reading());
        boolean late;
        synchronized (this) {
            reserved = null;
            late = closed;
            if (!late) {
                var more = Arrays.copyOf(all, all.length + 1);
                more[all.length] = input;
                all = more;
                keep(fresh, input.origin);
                waiter.add(input); // before it can be dropped
                input.mute(listening);
                input.channel.whenClosed(() -> {
                    input.look();
                    port.troubled();
                });
            }
            tellWhoAwaits();
        }
        if (late) {
            input.uncount();
            input.channel.refuseRest("the receive port was closed");
            return;
        }
        port.troubled();
    }

    /// The sender gave up while connecting and never used this connection.
    void cancel(InChannel channel) {
        for (var input : all) {
            if (input.channel.equals(channel)) {
                input.cancelled = true;
                cancellations = true;
                port.troubled();
                port.settleSoon();
            }
        }
    }

    /// Whether there is a difference between what is there and what the source was built over.
    @SuppressWarnings("ReferenceEquality") // this array, not one like it
    boolean changed() {
        return cancellations || built != all;
    }

    /// Puts the source together anew, between messages. Holds the turn.
    void rebuild() {
        cancellations = false;
        for (var input : all) {
            if (input.cancelled) {
                drop(input);
                input.ended();
            }
        }
        built = all;
        var now = built;
        for (var input : now) {
            input.oneOfSeveral(now.length > 1);
        }
        received.countFor(now.length == 1 ? now[0].tally : null);
        lender = now.length == 0 ? null : now[0];
        ring = now.length == 1 ? now[0].ring() : null;
        source = now.length == 0 ? NoSource.INSTANCE : now.length == 1 ? now[0] : fanIn(now);
    }

    private FrameSource fanIn(Input[] lowers) {
        var shape = PortProtocol.of(port.station()).shape(port.type());
        return shape.fanIn(List.of(lowers), (i, why) -> broken(lowers[i], why));
    }

    /// The rest of this message is to be skipped before another begins.
    void skipLater(ReadMessage message) {
        rest = message;
    }

    /// Goes on skipping, if there is something to skip. Holds the turn.
    boolean restIsOver() {
        var mine = rest;
        rest = null;
        boolean over = true;
        if (mine != null) {
            try {
                over = mine.skipOn();
            } catch (ConnectionLost e) { // of a message that nobody reads: as between two
                boolean broken = e.getCause() != null; // else it was closed in order
                if (broken && !port.upcalls().tellLosses() && !downcalls()) {
                    note(e);
                }
            }
            rest = over ? null : mine;
        }
        return over;
    }

    /// Where frames come from.
    FrameSource source() {
        return source;
    }

    /// The ring that may be looked into before [#source] is polled.
    @Nullable RingSource ring() {
        return ring;
    }

    /// Noted by each of several, for `multireceive` does not say.
    void lends(Input input) {
        lender = input;
    }

    /// Who lent the frame in hand.
    Input lender() {
        return Objects.requireNonNull(lender);
    }

    /// Begins to wait for the rest of a message: whatever comes over other connections.
    void waitInMessage() {
        listenTo(lender());
        waiter.begin(Long.MAX_VALUE);
    }

    void idleInMessage() {
        if (port.isClosed()) {
            throw new PortClosed(port.toString());
        }
        waiter.idle(Long.MAX_VALUE);
    }

    void waitedInMessage() {
        waiter.found();
        listenTo(null);
    }

    /// Only this one is waited for, or all again; those that come meanwhile too.
    private synchronized void listenTo(@Nullable Input only) {
        listening = only != null;
        for (var input : all) {
            input.mute(only != null && !input.equals(only));
        }
    }

    /// What a poll threw: a broken link, or the error of memory that was cut short.
    void broken(Throwable e) {
        if (e instanceof InternalError late && built.length != 1) {
            unexplained(late);
        } else {
            broken(lender(), e instanceof InternalError cut ? LinkBroken.cut(cut) : (LinkBroken) e);
        }
    }

    /// Told so late that it is not known of which it is: each is touched, and the next look at the
    /// one that is cut short says so.
    private void unexplained(InternalError late) {
        if (++unexplained > MOST_UNEXPLAINED) {
            throw late;
        }
        for (var input : built) {
            input.arm();
            input.disarm();
        }
    }

    /// The link is broken: its reader is told, once.
    void broken(Input input, LinkBroken e) {
        unexplained = 0;
        var why = input.reason(e);
        letGo(input, why);
        if (!tell(new Lost<>(input.origin, true, why))) {
            note(new ConnectionLost("the connection from " + input.origin + " is lost: " + why, e));
        }
    }

    /// The link broke under a message, whose reader is told by what this answers.
    ConnectionLost brokenInMessage(LinkBroken e) {
        var input = lender();
        var why = input.reason(e);
        letGo(input, why);
        tell(new Lost<>(input.origin, true, why));
        return new ConnectionLost(
                "the connection from "
                        + input.origin
                        + " was lost in the middle of a message: "
                        + why,
                e);
    }

    /// What the reader of a message is told whose connection has ended under it.
    IbidemException endedInMessage() {
        var input = lender();
        if (input.channel.isDone()) {
            return new MessageAbandoned(input.origin);
        }
        ended(input);
        return new ConnectionLost(
                "the connection from " + input.origin + " was closed in the middle of a message");
    }

    private void letGo(Input input, String why) {
        drop(input);
        input.channel.broken(why);
        port.troubled();
    }

    /// This frame says that a message was given up, or that its sender has closed.
    void noMessage(Frame frame) {
        frame.empty();
        if ((frame.flags & Frame.END) != 0) {
            ended(lender());
        }
        frame.flags = 0;
    }

    /// The sender closed it.
    private void ended(Input input) {
        drop(input);
        input.ended();
        tell(new Lost<>(input.origin, false, "its sender closed it"));
        port.troubled();
    }

    /// Every message of it was read, and nobody uses it any more.
    private void drop(Input input) {
        synchronized (this) {
            all = Stream.of(all).filter(other -> !other.equals(input)).toArray(Input[]::new);
            notifyAll();
        }
        waiter.remove(input);
        input.uncount();
        input.rouse(); // the link may live on, for another
    }

    private void note(ConnectionLost thrown) {
        synchronized (this) {
            keep(untold, thrown);
        }
    }

    /// Tells the program where it asked to be told; false: it did not.
    private boolean tell(Lost<Origin> loss) {
        if (port.upcalls().lost(loss)) {
            return true;
        }
        if (downcalls()) {
            synchronized (this) {
                keep(lost, loss);
            }
            return true;
        }
        return false;
    }

    private boolean downcalls() {
        return port.type().has(Capability.CONNECTION_DOWNCALLS);
    }

    private <T> void keep(ArrayDeque<T> list, T one) {
        if (list.size() < MOST_KEPT) {
            list.add(one);
        } else {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "nobody asked {0} for {1} of its connections; forgotten: {2}",
                    port,
                    MOST_KEPT,
                    one);
        }
    }

    /// Throws the next loss that nobody was told of.
    void throwLoss() {
        ConnectionLost loss;
        synchronized (this) {
            loss = untold.poll();
        }
        if (loss != null) {
            port.troubled(); // there may be more
            throw loss;
        }
    }

    synchronized boolean hasUntold() {
        return !untold.isEmpty();
    }

    synchronized List<Lost<Origin>> takeLost() {
        var list = List.copyOf(lost);
        lost.clear();
        return list;
    }

    synchronized List<Origin> takeFresh() {
        var list = List.copyOf(fresh);
        fresh.clear();
        return list;
    }

    /// Who is connected now.
    List<Origin> origins() {
        return Stream.of(all).map(input -> input.origin).toList();
    }

    /// Waits until nobody is connected.
    ///
    /// @return false: somebody is still
    /// @throws WaitInterrupted when the thread was interrupted
    synchronized boolean awaitEmpty(long nanos) {
        long deadline = port.station().tasks().nanoTime() + nanos;
        try {
            while (all.length > 0) {
                long left = deadline - port.station().tasks().nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new WaitInterrupted();
        }
    }

    /// The port is closed; once more when the turn is free.
    void close(Closing how) {
        if (how == Closing.IN_ORDER) {
            mine.close();
        }
        Input[] last;
        synchronized (this) {
            closed = true; // who comes later is refused there
            last = how == Closing.LATER ? NONE : all;
        }
        for (var input : last) {
            drop(input);
            if (how == Closing.IN_ORDER) {
                input.channel.refuseRest("the receive port was closed");
            } else {
                input.channel.broken("the receive port was closed with a message in hand");
            }
        }
    }
}
