package org.ibidem.mpj.device.circuit;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.circuit.Circuit;
import org.ibidem.circuit.CircuitBroken;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.mpj.device.Begun;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceInterrupted;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Incoming;
import org.ibidem.mpj.device.Matcher;
import org.ibidem.mpj.device.Outgoing;
import org.ibidem.mpj.device.Request;
import org.ibidem.registry.Node;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A device over a circuit.
public final class CircuitDevice implements Device {
    /// How often a probe looks at the links: what others send meanwhile must not keep it.
    private static final int LOOKS = 16;

    private final Circuit circuit;
    private final Limits limits;
    private final boolean governed;

    /// Bytes of a message that is not worth a request, where it can leave at once.
    private final int most;

    private final Peer[] peers;
    private final Matcher<Receiving, Arrived> matcher = new Matcher<>();
    private final Requests<Sending> sendings;
    private final Dispatcher dispatcher;
    private final AutoCloseable last;
    private volatile boolean finished;

    /// How large what may become.
    ///
    /// @param eager the largest message that leaves at once, in bytes
    /// @param window bytes of such messages that wait at a receiver, of one sender, at most
    /// @param requests sends that wait for their receives at a time, and receives, at most: up to
    ///   2^24
    public record Limits(int eager, long window, int requests) {
        /// 128 KiB, 1 MiB and 2^24.
        public static final Limits USUAL = new Limits(128 << 10, 1 << 20);

        /// With as many requests as there can be.
        public Limits(int eager, long window) {
            this(eager, window, 1 << 24);
        }
    }

    /// The device of this node, in a job of these nodes.
    ///
    /// @param members in the order of their numbers
    /// @param stack of the links, in the stack notation
    /// @param last closed when the device has finished
    public CircuitDevice(
            Node node, List<NodeId> members, String stack, Limits limits, AutoCloseable last) {
        this(to -> Circuit.open(node, "mpj", members, stack, to), limits, node.isGoverned(), last);
    }

    /// @param open opens the circuit, whose frames go to who is given
    CircuitDevice(Function<CircuitReceiver, Circuit> open, Limits limits, AutoCloseable last) {
        this(open, limits, false, last);
    }

    private CircuitDevice(
            Function<CircuitReceiver, Circuit> open,
            Limits limits,
            boolean governed,
            AutoCloseable last) {
        this.limits = limits;
        this.governed = governed;
        this.most = Math.min(Peer.PIECE, limits.eager());
        this.last = last;
        this.sendings = new Requests<>(limits.requests(), "sends that wait for their receives");
        this.dispatcher = new Dispatcher(this, matcher, sendings, limits.requests());
        this.circuit = open.apply(dispatcher);
        this.peers = new Peer[circuit.size()];
        Arrays.setAll(peers, rank -> new Peer(circuit, rank, limits.window()));
        dispatcher.ready(peers);
    }

    @Override
    public int id() {
        return circuit.self();
    }

    @Override
    public int size() {
        return circuit.size();
    }

    @Override
    public boolean isGoverned() {
        return governed;
    }

    @Override
    public Request isend(Outgoing message, int to, int tag, int context) {
        return send(message, to, tag, context, false);
    }

    @Override
    public Request issend(Outgoing message, int to, int tag, int context) {
        return send(message, to, tag, context, true);
    }

    private Sending send(Outgoing message, int to, int tag, int context, boolean synchronous) {
        var sending = new Sending(this, message, to, tag, context);
        circuit.enter();
        try {
            dispatcher.requireThere(to);
            if (to == id()) {
                dispatcher.sendToSelf(sending, synchronous, sending.size <= limits.eager());
                circuit.changed(); // a receive of another thread may be over
                return sending;
            }
            var peer = peers[to];
            boolean eager = sending.size <= limits.eager() && peer.affords(sending.size);
            sending.as(!eager ? Header.START : synchronous ? Header.SYNC : Header.EAGER);
            if (!eager || synchronous) {
                sending.number = sendings.add(sending);
            }
            peer.offer(sending);
        } catch (CircuitBroken e) {
            refused(sending, dispatcher.gone(to, e.why()));
        } finally {
            circuit.leave();
        }
        return sending;
    }

    /// Nothing of it has left.
    void unsent(Sending sending, Peer peer) {
        if (sending.isEager()) {
            peer.spares(sending.size);
        }
        if (sending.number != Sending.NONE) {
            sendings.remove(sending.number);
        }
    }

    private void refused(Sending sending, DeviceFailed why) {
        sending.failed(why);
        if (sending.number != Sending.NONE) {
            sendings.remove(sending.number);
        }
    }

    @Override
    public boolean sendsNow(Outgoing message, int to, int tag, int context) {
        if (to == id() || message.bytes() + message.objects() > most) {
            return false;
        }
        circuit.enter();
        try {
            dispatcher.requireThere(to);
            return peers[to].writesNow(new Whole(message, id(), tag, context));
        } catch (CircuitBroken e) {
            throw dispatcher.gone(to, e.why());
        } finally {
            circuit.leave();
        }
    }

    @Override
    public Request irecv(Incoming into, int from, int tag, int context) {
        var receiving = new Receiving(this, into);
        circuit.enter();
        try {
            post(receiving, from, tag, context);
        } finally {
            circuit.leave();
        }
        return receiving;
    }

    /// As [#irecv] and its end, with one turn for both.
    @Override
    public Envelope recv(Incoming into, int from, int tag, int context) {
        var receiving = new Receiving(this, into);
        circuit.enter();
        boolean posted = false;
        try {
            post(receiving, from, tag, context);
            posted = true;
        } finally {
            if (!posted) {
                circuit.leave();
            }
        }
        try {
            circuit.leaveWhen(receiving);
        } catch (WaitInterrupted e) {
            return Begun.afterInterrupt(receiving, new DeviceInterrupted(e));
        }
        return receiving.await();
    }

    private void post(Receiving receiving, int from, int tag, int context) {
        dispatcher.requireRoomForReceive();
        var found = matcher.post(receiving, from, tag, context);
        if (found != null) {
            dispatcher.deliver(found, receiving);
            circuit.changed(); // a send of another thread may be over
        } else {
            dispatcher.requireSome(receiving, from);
        }
    }

    @Override
    public Envelope probe(int from, int tag, int context) {
        while (true) {
            int seen = dispatcher.news();
            var found = iprobe(from, tag, context);
            if (found != null) {
                return found;
            }
            await(() -> dispatcher.news() != seen);
        }
    }

    @Override
    public @Nullable Envelope iprobe(int from, int tag, int context) {
        circuit.enter();
        try {
            boolean more = circuit.poll();
            var found = matcher.find(from, tag, context);
            for (int looks = 1; found == null && more && looks < LOOKS; looks++) {
                more = circuit.poll();
                found = matcher.find(from, tag, context);
            }
            if (found == null && dispatcher.lacks(from)) {
                throw dispatcher.gone(from);
            }
            return found == null ? null : found.message();
        } finally {
            circuit.leave();
        }
    }

    @Override
    public int peek(@Nullable Request[] requests) {
        int first = done(requests);
        if (first < 0) {
            await(() -> done(requests) >= 0);
            first = done(requests);
        }
        return first;
    }

    private static int done(@Nullable Request[] requests) {
        for (int i = 0; i < requests.length; i++) {
            var one = requests[i];
            if (one != null && one.isDone()) {
                return i;
            }
        }
        return -1;
    }

    void await(BooleanSupplier reached) {
        try {
            circuit.await(reached);
        } catch (WaitInterrupted e) {
            throw new DeviceInterrupted(e);
        }
    }

    @Override
    public void progress() {
        circuit.enter();
        try {
            circuit.poll();
        } finally {
            circuit.leave();
        }
    }

    boolean cancel(Receiving receiving) {
        circuit.enter();
        try {
            boolean cancelled = matcher.cancel(receiving);
            if (cancelled) {
                circuit.changed();
                receiving.over(
                        Envelope.cancelled(
                                receiving.source(), id(), receiving.tag(), receiving.context()));
            }
            return cancelled;
        } finally {
            circuit.leave();
        }
    }

    /// One that has not begun to leave comes back at once; for another its receiver is asked.
    boolean cancel(Sending sending) {
        circuit.enter();
        try {
            boolean cancelled = !sending.isDone() && !sending.hasBegun() && takesBack(sending);
            if (cancelled) {
                circuit.changed();
                sending.takenBack();
            } else if (sending.envelope.to() != id()) {
                dispatcher.cancels().ask(peers[sending.envelope.to()], sending);
            }
            return cancelled;
        } finally {
            circuit.leave();
        }
    }

    private boolean takesBack(Sending sending) {
        int to = sending.envelope.to();
        if (to == id()) {
            return dispatcher.takesBack(sending);
        }
        boolean back = peers[to].remove(sending);
        if (back && sending.isEager()) {
            peers[to].spares(sending.size);
        }
        if (back && sending.number != Sending.NONE) {
            sendings.remove(sending.number);
        }
        return back;
    }

    /// Whether a send that is not done ends without a receive.
    boolean isEnding(Sending sending) {
        circuit.enter();
        try {
            return sending.isEnding(peers[sending.envelope.to()].takesCancels());
        } finally {
            circuit.leave();
        }
    }

    /// An eager message that waited here has been received.
    void consumed(Arrived message) {
        dispatcher.consumed(message);
    }

    /// From now on a thread makes progress while the program calls nothing. Whoever does call takes
    /// its turn from it, which costs a wake-up now and then.
    public void keepGoing() {
        Thread.ofPlatform().daemon().name("mpj-progress").start(this::goOn);
    }

    private void goOn() {
        try {
            circuit.await(() -> finished);
        } catch (IllegalStateException e) {
            if (!finished) {
                throw e;
            } // else it was closed meanwhile
        }
    }

    @Override
    public String way(int rank) {
        return circuit.way(rank);
    }

    @Override
    public void finish() {
        await(() -> Arrays.stream(peers).allMatch(Peer::isIdle));
        finished = true;
        circuit.close();
        dispatcher.close();
        try {
            last.close();
        } catch (Exception e) {
            throw new DeviceFailed("the node could not be closed: " + e.getMessage(), e);
        }
    }
}
