package org.ibidem.port;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.OutChannel;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.monitor.FlightEvents;
import org.ibidem.monitor.Monitor;
import org.ibidem.ring.Joined;
import org.ibidem.station.NodeRuntime;
import org.jspecify.annotations.Nullable;

/// The connections of a send port: makes them, ends them, and puts `multicast` over them while
/// there are several. What changes them is done with the port's turn in hand, between messages;
/// only a connection that breaks under a message goes at once.
final class Outputs {
    private static final System.Logger LOG = System.getLogger(Outputs.class.getName());
    private static final Duration AGAIN = Duration.ofMillis(100);
    private static final Output[] NONE = {};

    private final SendPort port;
    private final NodeRuntime runtime;
    private final Waiter waiter;
    private final WriteMessage message;
    private final @Nullable LossUpcall upcall;
    private final UpcallQueue upcalls;
    private final long number;

    private volatile Output[] all = NONE;

    private final MessageCount sent = new MessageCount();

    private final Set<Target> connecting = new HashSet<>();
    private final UnreportedLosses lost = new UnreportedLosses();

    Outputs(
            SendPort port,
            NodeRuntime runtime,
            Waiter waiter,
            WriteMessage message,
            @Nullable LossUpcall upcall) {
        this.port = port;
        this.runtime = runtime;
        this.waiter = waiter;
        this.message = message;
        this.upcall = upcall;
        this.number = PortProtocol.of(runtime).number();
        this.upcalls = new UpcallQueue(runtime.tasks(), port + " tells of lost connections");
    }

    boolean isEmpty() {
        return all.length == 0;
    }

    /// Those there are now.
    Stream<Output> all() {
        return Stream.of(all);
    }

    @Nullable Way way(Target target) {
        return Stream.of(all)
                .filter(output -> output.target.equals(target))
                .map(output -> output.made.way(runtime))
                .findAny()
                .orElse(null);
    }

    Way way() {
        var only = all;
        if (only.length == 0) {
            throw new NotConnected(port.name());
        }
        if (only.length > 1) {
            throw new IllegalStateException(
                    port
                            + " has "
                            + only.length
                            + " connections: name one, way(connections().get(0))");
        }
        return only[0].made.way(runtime);
    }

    List<Target> targets() {
        return Stream.of(all).filter(each -> !each.gone).map(each -> each.target).toList();
    }

    /// Connects to one, or throws.
    void connect(Target target, Duration limit) {
        long deadline = waiter.deadline(limit);
        begin(target, deadline);
        var event = FlightEvents.connect();
        try {
            var made = asked(target, limit, waiter.left(deadline));
            attach(target, made, deadline);
            if (event != null) {
                event.over(port, target, made.way(runtime).toString(), "");
            }
        } catch (RuntimeException e) {
            if (event != null) {
                event.over(port, target, "", String.valueOf(e.getMessage()));
            }
            throw e;
        } finally {
            synchronized (connecting) {
                connecting.remove(target);
            }
        }
    }

    /// Connects to several side by side.
    Connected connect(List<Target> targets, Duration limit) {
        var attempts = new Attempts(runtime.tasks(), this::connect);
        return attempts.all(targets.stream().distinct().toList(), limit);
    }

    private void begin(Target target, long deadline) {
        if (!port.turn().take(port.toString(), deadline)) {
            throw busy(target);
        }
        try {
            settle();
        } finally {
            port.turn().giveBack();
        }
        synchronized (connecting) {
            if (port.isClosed()) {
                throw new PortClosed(port.toString());
            }
            var there = new ArrayList<>(targets());
            there.addAll(connecting);
            boolean several = port.type().connections().severalReceivers();
            if (there.contains(target) || (!several && !there.isEmpty())) {
                throw new IllegalStateException(
                        port
                                + " is connected to "
                                + (several ? target : there.getFirst())
                                + " already; disconnect it first");
            }
            connecting.add(target);
        }
    }

    private ConnectRefused busy(Target target) {
        return new ConnectRefused(
                ConnectRefused.Why.OCCUPIED,
                target
                        + " is not connected in time: another thread has a message of "
                        + port
                        + " in hand");
    }

    private PortProtocol.Made asked(Target target, Duration limit, Duration left) {
        var request = new PortRequest(target.port(), port.name(), number, port.type());
        return PortProtocol.of(runtime).connect(target, request, limit, left);
    }

    private void attach(Target target, PortProtocol.Made made, long deadline) {
        var channel = made.channel();
        boolean attached = false;
        try {
            if (!port.turn().take(port.toString(), deadline)) {
                throw busy(target);
            }
            try {
                if (port.isClosed()) {
                    throw new PortClosed(port.toString());
                }
                var output = new Output(target, made, row(target, made.stack()));
                var more = Arrays.copyOf(all, all.length + 1);
                more[all.length] = output;
                waiter.add(output);
                rebuild(more);
                attached = true;
            } finally {
                port.turn().giveBack();
            }
        } finally {
            if (!attached) {
                giveUp(channel);
            }
        }
        channel.whenClosed(this::closedByPeer);
        port.troubled();
    }

    /// The link's other direction may be of use to others: what was never used ends in order, where
    /// that can be said without waiting.
    private static void giveUp(OutChannel channel) {
        var sink = channel.sink();
        var room = new Frame();
        boolean said = false;
        try {
            said = sink.claim(room, 0) && (sink.commit(room, Frame.END) || sink.push());
        } catch (LinkBroken e) {
            LOG.log(Level.DEBUG, "a connection was given up over a broken link", e);
        }
        if (said) {
            channel.ended();
        } else {
            channel.giveUp("the send port was closed or in use while it was being connected");
        }
        channel.detached();
    }

    private Monitor.Row row(Target target, String stack) {
        return runtime.monitor().row(port + " to " + target + " over " + stack);
    }

    /// A message went to all of them.
    void count(long size) {
        if (!sent.count(size)) {
            for (var output : all) {
                output.row.tally().count(size);
            }
        }
    }

    MessageCount sent() {
        return sent;
    }

    /// Puts the sink together anew. Room granted by the old one is void.
    private void rebuild(Output[] now) {
        part();
        all = now;
        sent.countFor(now.length == 1 ? now[0].row.tally() : null);
        message.forget();
        for (var output : now) {
            output.oneOfSeveral(now.length > 1);
        }
        message.sink = sink(now);
        if (now.length == 0) {
            message.forgetPeers();
            port.troubled(); // the next message is refused
        }
    }

    /// Before one of several is written to alone, or they are others.
    void part() {
        if (message.sink instanceof Joined joined) {
            joined.part();
        }
    }

    private FrameSink sink(Output[] now) {
        return switch (now.length) {
            case 0 -> NoSink.INSTANCE;
            case 1 -> now[0].channel.sink();
            default ->
                    PortProtocol.of(runtime)
                            .shape(port.type())
                            .fanOut(List.of(now), (i, why) -> fallen(now[i], why));
        };
    }

    /// `multicast` has left it out, in the middle of a message perhaps; its end is said later.
    void fallen(Output output, LinkBroken why) {
        output.fallen = String.valueOf(why.getMessage());
        port.troubled();
    }

    /// Called by the node's service: the receiver closed, or the link is gone. Whoever waits for
    /// room finds out now; where nobody uses the port, the direction is given up now.
    private void closedByPeer() {
        port.troubled();
        runtime.tasks().start("settle " + port, this::settleInTime);
    }

    /// Whoever has the turn sees to it, or has looked just before: then nobody would.
    private void settleInTime() {
        if (!settleIfFree() && Stream.of(all).anyMatch(Output::isOver)) {
            runtime.tasks().after(AGAIN, "settle " + port, this::settleInTime);
        }
    }

    /// Lets go of connections that are over, without waiting. Holds the turn.
    void settle() {
        var over = Stream.of(all).filter(Output::isOver).toList();
        if (!over.isEmpty()) {
            message.forget();
            part();
            over.forEach(this::leaveLost);
        }
    }

    private boolean settleIfFree() {
        if (!port.turn().tryTake()) {
            return false;
        }
        try {
            settle();
        } finally {
            port.turn().giveBack();
        }
        return true;
    }

    private void leaveLost(Output output) {
        var known = output.channel.closedBecause();
        var why = known != null ? known : String.valueOf(output.fallen);
        boolean inOrder = output.channel.closedInOrder();
        boolean ends = false;
        try {
            ends = output.endsNow(waiter);
        } finally {
            note(output, new Lost<>(output.target, !inOrder, why));
            remove(output);
            if (ends) {
                output.letGo();
            } else { // whoever uses the port may have a limit
                output.endLater(port, runtime.tasks());
            }
        }
    }

    private void drop(Output output) {
        remove(output);
        output.letGo();
    }

    private void remove(Output output) {
        waiter.remove(output);
        rebuild(Stream.of(all).filter(other -> !other.equals(output)).toArray(Output[]::new));
    }

    /// While waiting for room: a receiver that closed makes none. (Of several, `multicast` leaves
    /// it out.)
    void requireReceivers() {
        var only = all;
        if (only.length == 1 && only[0].isOver()) {
            settle();
        }
        if (isEmpty()) {
            var loss = untold();
            throw loss != null ? loss : new ConnectionLost("all receivers are gone");
        }
    }

    /// Every connection is broken, as the sink says. Holds the turn.
    ConnectionLost allLost(LinkBroken e) {
        var text = new ArrayList<String>();
        for (var output : all) {
            boolean asked = upcall != null || port.type().has(Capability.CONNECTION_DOWNCALLS);
            text.add(UnreportedLosses.described(lose(output, e, asked)));
        }
        var earlier = untold();
        if (earlier != null) {
            text.add(String.valueOf(earlier.getMessage()));
        }
        return new ConnectionLost(
                text.isEmpty() ? String.valueOf(e.getMessage()) : String.join("; ", text), e);
    }

    /// The same where nothing can be thrown: the next use says it. Holds the turn.
    void allLostInSilence(LinkBroken e) {
        for (var output : all) {
            lose(output, e, true);
        }
    }

    private Lost<Target> lose(Output output, LinkBroken e, boolean noted) {
        var known = output.channel.closedBecause();
        var fallen = output.fallen;
        var why = known != null ? known : fallen != null ? fallen : String.valueOf(e.getMessage());
        boolean inOrder = output.channel.closedInOrder();
        var loss = new Lost<>(output.target, !inOrder, why);
        output.channel.broken(why);
        if (noted) {
            note(output, loss);
        }
        drop(output);
        return loss;
    }

    /// Looks for those whose memory was cut short; `multicast` leaves them out. One that was found
    /// before is not looked at again: what the JVM says of it a second time is of no other.
    ///
    /// @return whether there are any, and others are left
    /// @throws LinkBroken when nobody is left
    boolean losesOne() {
        if (all.length > 1) {
            message.sink.push();
        }
        return Stream.of(all).anyMatch(output -> output.fallen != null);
    }

    private void note(Output output, Lost<Target> loss) {
        var told = upcall;
        if (told != null) {
            output.gone = true;
            upcalls.add(() -> told.lost(port, loss));
            return;
        }
        lost.add(loss, () -> output.gone = true);
    }

    /// What to throw for connections that nobody was told of yet; null: nothing, or it is told
    /// otherwise.
    @Nullable ConnectionLost untold() {
        if (upcall != null || port.type().has(Capability.CONNECTION_DOWNCALLS)) {
            return null;
        }
        var text = lost.say();
        return text == null ? null : new ConnectionLost(text);
    }

    /// What to throw at the end of a message: connections that broke under it. That a receiver has
    /// closed its port is told by the next use: it may have read this message before, as whoever
    /// gets the last one does.
    @Nullable ConnectionLost untoldBreaks() {
        return lost.anyBroken() ? untold() : null;
    }

    List<Lost<Target>> takeLost() {
        settleIfFree();
        return lost.take();
    }

    /// Ends one connection, and waits until what was sent over it has arrived. Holds the turn.
    boolean leave(Target target, long deadline) {
        for (var output : all) {
            if (output.target.equals(target)) {
                leave(output, deadline);
                boolean _ = output.hasArrived(port, waiter, deadline);
                return true;
            }
        }
        return false;
    }

    private boolean leave(Output output, long deadline) {
        message.forget();
        part();
        try {
            return output.end(port, waiter, deadline);
        } finally {
            drop(output);
        }
    }

    /// Ends all of them, and forgets what was lost. Holds the turn.
    ///
    /// @param awaits whether it is waited until what was finished has arrived
    /// @return false: not all was told, or has arrived
    boolean leaveAll(long deadline, boolean awaits) {
        var left = all;
        boolean ended = true;
        for (var output : left) {
            ended &= leave(output, deadline);
        }
        lost.take();
        for (var output : awaits ? left : new Output[0]) {
            ended = output.hasArrived(port, waiter, deadline) && ended;
        }
        return ended;
    }

    /// Whether all of them can be ended without waiting; those that can are told so. Holds the
    /// turn.
    boolean endsAtOnce() {
        message.forget();
        part();
        boolean ended = true;
        for (var output : all) {
            ended &= output.saysEndNow(waiter);
        }
        return ended;
    }

    /// Gives all connections up. The thread that holds the turn finds out when it next uses one.
    void giveUpAll(String why) {
        for (var output : all) {
            output.channel.giveUp(why);
        }
        port.troubled();
    }
}
