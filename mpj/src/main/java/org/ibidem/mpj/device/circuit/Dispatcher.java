package org.ibidem.mpj.device.circuit;

import static org.ibidem.mpj.device.Device.ANY;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ibidem.buffer.Frame;
import org.ibidem.circuit.CircuitBroken;
import org.ibidem.circuit.CircuitReceiver;
import org.ibidem.link.LinkBroken;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.Envelope;
import org.ibidem.mpj.device.Matcher;
import org.jspecify.annotations.Nullable;

/// What becomes of the frames that have come: with the circuit's turn in hand, and never waiting.
final class Dispatcher implements CircuitReceiver {
    private static final int SCRATCH = 64 << 10;

    /// What one process's headers that wait may take: a quarter of the heap, if each takes this.
    private static final int SHARE = 4;

    private static final int HEADER = 128;

    private final CircuitDevice device;
    private final Matcher<Receiving, Arrived> matcher;
    private final Requests<Sending> sendings;
    private final Requests<Receiving> receivings;
    private final Cancels cancels;
    private final Slabs slabs = new Slabs();

    /// Why nothing can come from a process any more.
    private @Nullable String[] lost = {};

    /// Headers of one process that may wait: as many as it can have sent, if there is memory.
    private final int most;

    private int gone;

    /// The first that was lost and had not closed its end.
    private int dead = -1;

    /// Counts what a probe may wait for. Written with the turn in hand.
    private volatile int news;

    private Peer[] peers = {};
    private Arrived spare = new Arrived();
    private @Nullable MemorySegment scratch;

    /// @param most requests at a time
    Dispatcher(
            CircuitDevice device,
            Matcher<Receiving, Arrived> matcher,
            Requests<Sending> sendings,
            int most) {
        this.receivings = new Requests<>(most, "receives");
        this.most = (int) Math.min(most, Runtime.getRuntime().maxMemory() / SHARE / HEADER);
        this.cancels = new Cancels(this, matcher, sendings);
        this.device = device;
        this.matcher = matcher;
        this.sendings = sendings;
    }

    int news() {
        return news;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // whoever writes it has the turn
    private void note() {
        news++;
    }

    Cancels cancels() {
        return cancels;
    }

    void ready(Peer[] all) {
        peers = all;
        lost = new @Nullable String[all.length];
    }

    /// What no device sends, and what cannot be taken, ends the link: who waits for its sender is
    /// told, whichever thread has found it, and messages of others go on.
    @Override
    public boolean frame(int from, Frame frame) {
        try {
            dispatch(from, frame);
        } catch (LinkBroken | InternalError e) { // of memory that was cut short
            throw e;
        } catch (RuntimeException | Error e) {
            throw new LinkBroken("what it has sent cannot be taken: " + e, e);
        }
        return true;
    }

    private void dispatch(int from, Frame frame) {
        var peer = peers[from];
        if (frame.room() < Header.SMALL) {
            throw garbage("a frame of " + frame.room() + " bytes");
        }
        var memory = frame.memory;
        long at = frame.position;
        int kind = Header.kind(memory, at);
        if (kind >= Header.EAGER && kind <= Header.START) {
            begins(peer, kind, frame);
            return;
        }
        int request = memory.get(Header.INT, at + Header.SMALL_REQUEST);
        long value = memory.get(Header.LONG, at + Header.VALUE);
        frame.position = at + Header.SMALL;
        switch (kind) {
            case Header.REST -> more(peer, frame);
            case Header.DATA -> data(peer, request, frame);
            case Header.REPLY -> reply(peer, request, value);
            case Header.DONE -> done(peer, request);
            case Header.CREDIT -> peer.credited(value);
            case Header.CANCEL -> cancels.asked(peer, request, value);
            case Header.CANCELLED -> cancels.answered(peer, request);
            case Header.VERSION -> cancels.speaks(peer, value);
            default -> throw garbage("a frame of kind " + kind);
        }
    }

    static LinkBroken garbage(String what) {
        return new LinkBroken("it has sent what no device sends: " + what);
    }

    private void begins(Peer peer, int kind, Frame frame) {
        var memory = frame.memory;
        long at = frame.position;
        if (frame.room() < Header.LARGE) {
            throw garbage("a header of " + frame.room() + " bytes");
        }
        var message =
                new Envelope(
                        memory.get(Header.INT, at + Header.SOURCE),
                        memory.get(Header.INT, at + Header.DESTINATION),
                        memory.get(Header.INT, at + Header.TAG),
                        memory.get(Header.INT, at + Header.CONTEXT),
                        memory.get(Header.BYTE, at + 1) & 0xFF,
                        memory.get(Header.LONG, at + Header.BYTES),
                        memory.get(Header.LONG, at + Header.OBJECTS),
                        false,
                        false);
        int request = memory.get(Header.INT, at + Header.REQUEST);
        check(peer, kind, message);
        if (kind != Header.EAGER) {
            cancels.speaks(peer, Header.version(memory, at));
        }
        frame.position = at + Header.LARGE;
        var arrived = spare;
        arrived.is(message, kind, request);
        var receiving = matcher.arrive(arrived, message.source(), message.tag(), message.context());
        if (receiving != null) {
            receiving.meets(message);
            meet(peer, kind, request, receiving);
        } else {
            spare = new Arrived();
            note();
            cancels.waits(peer, kind);
            if (kind == Header.START && !peer.announces(most)) {
                throw garbage("more than " + most + " messages that wait to be asked for");
            }
            if (kind != Header.START) {
                arrived.keep(slabs.get((int) Math.max(1, message.size())));
            }
        }
        if (kind != Header.START) {
            peer.stream(receiving != null ? receiving : arrived);
            more(peer, frame);
        }
    }

    private void check(Peer peer, int kind, Envelope message) {
        boolean right =
                message.source() == peer.rank
                        && message.to() == device.id()
                        && message.tag() >= 0
                        && message.bytes() >= 0
                        && message.objects() >= 0
                        && message.size() >= 0
                        && (kind == Header.START || message.size() <= Integer.MAX_VALUE >> 1)
                        && peer.stream() == null;
        if (!right) {
            throw garbage(message + " of kind " + kind);
        }
        if (kind != Header.START && !peer.holds(message.size())) {
            throw garbage(
                    message.size()
                            + " bytes beyond what it may have here at once; ibidem.mpj.window is to be the same in all processes");
        }
    }

    /// The sender of a message that has met its receive is told, where it waits for that. Who is
    /// gone has left perhaps the beginning of one, whose bytes do not come any more.
    private void meet(Peer peer, int kind, int request, Receiving receiving) {
        if (kind == Header.SYNC) {
            answer(peer, new Item.Word(Header.DONE, request, 0));
        } else if (kind == Header.START) {
            var why = lost[peer.rank];
            if (why != null) {
                receiving.failed(gone(peer.rank, why));
                return;
            }
            int number = receivings.add(receiving);
            answer(peer, new Item.Word(Header.REPLY, request, number));
        }
    }

    private void more(Peer peer, Frame frame) {
        var target = peer.stream();
        if (target == null) {
            throw garbage("the rest of no message");
        }
        requireWithin(target, frame);
        target.take(frame.memory, frame.position, (int) frame.room());
        if (target.hasAll()) {
            peer.stream(null);
            if (target instanceof Receiving) {
                freed(peer, target.size());
            }
            target.end();
        }
    }

    private static void requireWithin(Target target, Frame frame) {
        if (frame.room() > target.left()) {
            throw garbage(
                    frame.room()
                            + " bytes more of a message that lacks "
                            + target.left()
                            + " of "
                            + target.size());
        }
    }

    private void data(Peer peer, int request, Frame frame) {
        var receiving = receivings.get(request);
        if (receiving == null || receiving.message().source() != peer.rank) {
            throw garbage("what nobody asked for");
        }
        requireWithin(receiving, frame);
        receiving.take(frame.memory, frame.position, (int) frame.room());
        if (receiving.hasAll()) {
            receivings.remove(request);
            receiving.end();
        }
    }

    private void reply(Peer peer, int request, long value) {
        var sending = sending(peer, request);
        sending.asked(value);
        answer(peer, sending);
    }

    private void done(Peer peer, int request) {
        var sending = sending(peer, request);
        sending.over(sending.envelope);
    }

    Sending sending(Peer peer, int request) {
        var sending = sendings.get(request);
        if (sending == null || sending.envelope.to() != peer.rank) {
            throw garbage("an answer to no message");
        }
        sendings.remove(request);
        return sending;
    }

    /// A message that waited is received.
    void deliver(Arrived arrived, Receiving receiving) {
        var message = arrived.message();
        receiving.meets(message);
        var own = arrived.own();
        if (own != null) {
            pump(own, receiving);
            own.over(own.envelope);
            receiving.end();
        } else if (message.source() == device.id()) {
            arrived.deliver(receiving);
        } else {
            var peer = peers[message.source()];
            meet(peer, arrived.kind(), arrived.request(), receiving);
            if (arrived.kind() == Header.START) {
                peer.announcesLess();
            } else {
                if (arrived.hasAll()) {
                    arrived.deliver(receiving);
                } else {
                    arrived.takenBy(receiving);
                }
            }
        }
    }

    void consumed(Arrived arrived) {
        giveBack(arrived);
        if (arrived.source() != device.id()) {
            freed(peers[arrived.source()], arrived.size());
        }
    }

    private void giveBack(Arrived arrived) {
        var memory = arrived.memory();
        if (memory != null) {
            slabs.giveBack(memory);
        }
    }

    private void freed(Peer peer, long size) {
        long told = peer.freed(size);
        if (told > 0) {
            answer(peer, new Item.Word(Header.CREDIT, 0, told));
        }
    }

    void sendToSelf(Sending sending, boolean synchronous, boolean eager) {
        var arrived = spare;
        var message = sending.envelope;
        arrived.is(message, Header.EAGER, 0);
        var receiving = matcher.arrive(arrived, message.source(), message.tag(), message.context());
        if (receiving != null) {
            receiving.meets(message);
            pump(sending, receiving);
            sending.over(message);
            receiving.end();
            return;
        }
        spare = new Arrived();
        note();
        if (eager && !synchronous) {
            arrived.keep(slabs.get((int) Math.max(1, message.size())));
            if (!pump(sending, arrived)) {
                matcher.take(arrived);
                giveBack(arrived);
            }
            sending.over(message);
        } else {
            arrived.isOwn(sending);
            sending.waitsAs(arrived);
        }
    }

    /// Takes a message to this process itself back that still waits.
    boolean takesBack(Sending sending) {
        var waiting = sending.waiting();
        return waiting != null && matcher.take(waiting);
    }

    /// Refuses a receive where there are as many as may be.
    void requireRoomForReceive() {
        receivings.requireRoom(matcher.posted());
    }

    /// @return false: the message cannot be read where it lies, and both have failed
    private boolean pump(Sending from, Target to) {
        var between = scratch;
        if (between == null) {
            between = Arena.ofAuto().allocate(SCRATCH);
            scratch = between;
        }
        for (long left = from.size; left > 0; ) {
            int some = (int) Math.min(SCRATCH, left);
            try {
                from.writeTo(between, 0, some);
            } catch (RuntimeException | Error e) { // of what the program has given
                var why = DeviceFailed.unsent(e);
                from.failed(why);
                to.broken(why);
                return false;
            }
            to.take(between, 0, some);
            left -= some;
        }
        return true;
    }

    @Override
    public void room(int to) {
        try {
            peers[to].writeOn();
        } catch (CircuitBroken e) {
            closed(to, e.why());
        }
    }

    /// What was to be sent there fails; what it has sent is received before it counts as gone.
    @Override
    public void closed(int to, String why) {
        forget(peers[to], gone(to, why));
    }

    /// Nobody waits for what will not come.
    @Override
    public void lost(int from, boolean inOrder, String why) {
        if (lost[from] == null) {
            lost[from] = why;
            gone++;
        }
        note();
        if (!inOrder && dead < 0) {
            dead = from;
        }
        var failure = gone(from, why);
        cutOff(peers[from], failure);
        sendings.all().filter(one -> one.envelope.to() == from).forEach(one -> one.failed(failure));
        receivings
                .all()
                .filter(one -> one.message().source() == from)
                .forEach(one -> one.failed(failure));
        for (var one : matcher.receives()) {
            if (one.source() == from || (one.source() == ANY && lacks(ANY))) {
                matcher.cancel(one);
                one.failed(failure);
            }
        }
    }

    /// What is half on its way, to it or from it, ends here.
    private void cutOff(Peer peer, DeviceFailed why) {
        forget(peer, why);
        var half = peer.stream();
        peer.stream(null);
        if (half != null) {
            half.broken(why);
        }
        if (half instanceof Arrived arrived) {
            matcher.take(arrived);
            giveBack(arrived);
        }
    }

    private static void forget(Peer peer, DeviceFailed why) {
        for (var item : peer.forget()) {
            if (item instanceof Sending sending) {
                sending.failed(why);
            }
        }
    }

    /// Writes what a peer is to be told, who may just be found to be gone: that is nothing to who
    /// only receives what it had sent. The circuit says by itself when nothing comes any more.
    void answer(Peer peer, Item item) {
        try {
            peer.offer(item);
        } catch (CircuitBroken e) {
            if (item instanceof Sending sending) {
                sending.failed(gone(peer.rank, e.why()));
            }
        }
    }

    DeviceFailed gone(int rank, String why) {
        return new DeviceFailed("process " + rank + " is gone: " + why);
    }

    /// Why nothing can come from there any more.
    DeviceFailed gone(int from) {
        int who = from == ANY ? dead : from;
        return who < 0
                ? new DeviceFailed("all other processes have gone")
                : gone(who, String.valueOf(lost[who]));
    }

    /// Whether nothing can come from there any more. From whomever nothing comes for certain once
    /// one has died: it may have been the one.
    boolean lacks(int from) {
        return from == ANY
                ? dead >= 0 || gone >= Math.max(1, peers.length - 1)
                : from >= 0 && from < lost.length && lost[from] != null;
    }

    void requireThere(int to) {
        if (to < 0 || to >= peers.length) {
            throw new IllegalArgumentException("there is no process " + to + " of " + peers.length);
        }
        var why = lost[to];
        if (why != null) {
            throw gone(to, why);
        }
    }

    /// A receive that waits for somebody who has gone fails.
    void requireSome(Receiving receiving, int from) {
        if (lacks(from)) {
            matcher.cancel(receiving);
            receiving.failed(gone(from));
        }
    }

    void close() {
        slabs.close();
    }
}
