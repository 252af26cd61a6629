package org.ibidem.port;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.link.FanIn;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.Monitor;
import org.jspecify.annotations.Nullable;

/// The connections of a receive port. The node's service adds them at any time; the reader, who has
/// the port's turn, puts `multireceive` over them between two messages, and lets go of them.
final class Inputs {
    private static final int MOST_UNEXPLAINED = 3;
    private static final Input[] NONE = {};

    private final ReceivePort port;
    private final Waiter waiter;
    private final ObjectCoder coder;

    /// Those there are now; changed with the lock of this object.
    private volatile Input[] all = NONE;

    /// Those the source was built over.
    private Input[] built = NONE;

    /// All there were then: some wait for an earlier one of their send port.
    private Input[] seen = NONE;

    /// Those that are over, as the node's service says, or perhaps; whether their end has come is
    /// to be seen.
    private final Set<Input> suspects = ConcurrentHashMap.newKeySet();

    /// To one that is in the middle of a message.
    private boolean listening;

    /// What was built is to be built anew, though no connection came or went.
    private volatile boolean stale;

    private boolean closed;

    private FrameSource source = NoSource.INSTANCE;

    /// The source, or what stands below it where there is one connection.
    private FrameSource glanced = NoSource.INSTANCE;

    /// The source, where there are several.
    private FanIn.@Nullable Source several;

    private final Downcalls downcalls;
    private final Losses losses;
    private final Places places;

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
        this.downcalls = new Downcalls(port);
        this.losses = new Losses(port, downcalls);
        this.places =
                new Places(port.type().connections(), () -> port.runtime().channels().changed());
        waiter.tally(mine.tally());
    }

    /// A row of counters for a connection.
    private Monitor.Row row(Origin origin) {
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
    Place place(Origin from, long number) {
        var sender = new Places.Sender(from.node(), number);
        var place = reserve(from, sender);
        if (place instanceof Place.Taken || place instanceof Place.Kept) {
            port.ends().look();
            place = reserve(from, sender);
        }
        if (!(place instanceof Place.Reserved(var claim))) {
            return place;
        }
        var refused = port.upcalls().connecting(from);
        if (refused != null) {
            unreserve(claim);
            return new Place.Unwanted(refused);
        }
        return place;
    }

    private Place reserve(Origin from, Places.Sender sender) {
        return port.isClosed() ? new Place.Kept("it is being closed") : places.keep(from, sender);
    }

    /// The connection could not be made after all.
    void unreserve(Places.Claim claim) {
        places.over(claim);
        stale = true; // another one may have waited for it
        port.troubled();
    }

    /// A connection is there.
    void add(Places.Claim claim, InChannel channel) {
        var input = new Input(claim, channel, row(claim.origin), coder.reading());
        boolean late;
        synchronized (this) {
            late = closed;
            if (!late) {
                var more = Arrays.copyOf(all, all.length + 1);
                more[all.length] = input;
                all = more;
                downcalls.made(input.origin);
                waiter.add(input); // before it can be dropped
                input.mute(listening);
                input.channel.whenClosed(() -> {
                    input.look();
                    suspect(input);
                });
            }
        }
        if (late) {
            input.uncount();
            places.over(claim);
            input.channel.refuseRest("the receive port was closed");
            return;
        }
        places.there(claim, input);
        port.troubled();
        if (channel.isLeaving()) { // since before anybody listened
            suspect(input);
        }
    }

    /// Whether it is over is to be seen, by whoever reads, or else at once.
    private void suspect(Input input) {
        suspects.add(input);
        if (input.isDropped()) {
            suspects.remove(input);
        }
        port.ends().suspect();
    }

    /// The sender gave up while connecting and never used this connection.
    void cancel(InChannel channel) {
        for (var input : all) {
            if (input.channel.equals(channel)) {
                input.cancelled = true;
                places.over(input.claim);
                stale = true;
                suspect(input);
            }
        }
    }

    /// The program ends its connections with this one.
    ///
    /// @return false: there is none
    boolean end(Origin from) {
        boolean any = false;
        for (var input : all) {
            if (input.origin.equals(from) && !input.unwanted) {
                any = true;
                input.unwanted = true;
                places.over(input.claim);
                stale = true;
                suspect(input);
            }
        }
        return any;
    }

    /// Whether there is a difference between what is there and what the source was built over.
    @SuppressWarnings("ReferenceEquality") // this array, not one like it
    boolean changed() {
        return stale || seen != all;
    }

    /// Puts the source together anew, between messages. Holds the turn.
    void rebuild() {
        stale = false;
        for (var input : all) {
            if (input.cancelled) {
                drop(input);
                input.ended();
            } else if (input.unwanted) {
                drop(input);
                input.channel.refuseRest("the receive port has ended this connection");
            }
        }
        seen = all;
        built = Stream.of(seen).filter(input -> places.isFirst(input.claim)).toArray(Input[]::new);
        var now = built;
        for (var input : now) {
            input.oneOfSeveral(now.length > 1);
        }
        received.countFor(now.length == 1 ? now[0].tally : null);
        var fan = now.length > 1 ? fanIn(now) : null;
        several = fan;
        source = fan != null ? fan : now.length == 1 ? now[0] : NoSource.INSTANCE;
        glanced = now.length == 1 ? now[0].source() : source;
    }

    private FanIn.Source fanIn(Input[] lowers) {
        var shape = PortProtocol.of(port.runtime()).shape(port.type());
        return shape.fanIn(List.of(lowers), (i, why) -> broken(lowers[i], why));
    }

    /// Looks whether connections have ended, and lets go of those, though nobody reads: a message
    /// that is found instead is kept for who does. Holds the turn, between messages.
    ///
    /// @param everywhere or only those that are suspected
    void look(boolean everywhere) {
        do {
            if (changed()) {
                rebuild();
            }
            for (var input : everywhere ? List.of(built) : List.copyOf(suspects)) {
                look(input);
            }
        } while (changed());
    }

    private void look(Input input) {
        if (!input.isFirst() || input.isDropped()) {
            return;
        }
        try {
            if (input.atEnd()) {
                ended(input);
            } else if (!input.channel.isLeaving()) {
                suspects.remove(input); // it is well
            }
        } catch (LinkBroken e) {
            broken(input, e);
        } catch (InternalError e) {
            broken(input, LinkBroken.cut(e));
        }
    }

    /// Whether there is one that is over, but for what was sent before.
    boolean someLeave() {
        return !suspects.isEmpty();
    }

    /// Whether the end of one is to come, and nothing to read before it has come.
    boolean awaitsEnds() {
        return suspects.stream().anyMatch(input -> input.isFirst() && !input.holds());
    }

    /// Whether the next receive has something to see to before it looks for messages: a loss to
    /// tell, or a message that was found when ends were looked for, which [#glance] would pass by.
    boolean hasMore() {
        return downcalls.hasUntold() || (built.length == 1 && built[0].holds());
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
                over = lender().unwanted || mine.skipOn();
            } catch (ConnectionLost e) { // of a message that nobody reads: as between two
                boolean broken = e.getCause() != null; // else it was closed in order
                if (broken && !port.upcalls().tellLosses() && !downcalls.wanted()) {
                    downcalls.throwLater(e);
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

    /// A look before [#source] is polled.
    boolean glance(Frame lent) {
        return glanced.glance(lent);
    }

    /// Who lent the frame in hand.
    Input lender() {
        var fan = several;
        return built[fan == null ? 0 : fan.lender()];
    }

    /// Whether what comes after the frame in hand, from whoever lent it, is here already.
    boolean isFollowed() {
        return lender().source().isFollowed();
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
        if (!tell(input, new Lost<>(input.origin, true, why), () -> letGo(input, why))) {
            downcalls.throwLater(
                    new ConnectionLost(
                            "the connection from " + input.origin + " is lost: " + why, e));
        }
    }

    /// The link broke under a message, whose reader is told by what this answers.
    ConnectionLost brokenInMessage(LinkBroken e) {
        var input = lender();
        var why = input.reason(e);
        tell(input, new Lost<>(input.origin, true, why), () -> letGo(input, why));
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
        tell(
                input,
                new Lost<>(input.origin, false, "its sender closed it"),
                () -> {
                    drop(input);
                    input.ended();
                });
        port.troubled();
    }

    /// Every message of it was read, and nobody uses it any more.
    private void drop(Input input) {
        input.drop();
        suspects.remove(input);
        places.over(input.claim);
        synchronized (this) {
            all = Stream.of(all).filter(other -> !other.equals(input)).toArray(Input[]::new);
            notifyAll();
        }
        waiter.remove(input);
        input.uncount();
        input.rouse(); // the link may live on, for another
    }

    private boolean tell(Input input, Lost<Origin> loss, Runnable letGo) {
        return losses.tell(loss, input::drop, letGo);
    }

    /// How the program is told of connections that are over.
    Losses losses() {
        return losses;
    }

    /// What is told when the program asks, or by the next receive.
    Downcalls downcalls() {
        return downcalls;
    }

    /// Who is connected now.
    List<Origin> origins() {
        return Stream.of(all).filter(Input::isWanted).map(input -> input.origin).toList();
    }

    /// Waits for the next to go, but not for long.
    ///
    /// @return whether nobody is connected, or about to be
    synchronized boolean awaitEmpty(long nanos) throws InterruptedException {
        if (!places.isEmpty()) {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        }
        return places.isEmpty();
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
                input.channel.giveUp("the receive port was closed with a message in hand");
            }
        }
    }
}
