package org.ibidem.circuit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.link.LinkBroken;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The links of a circuit. They are made, and come, on other threads, and are taken in by whoever
/// has the circuit's turn.
final class CircuitLinks {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int SMALLEST = 1 << 10;
    private static final Inward[] NONE = {};

    private final NodeRuntime runtime;
    private final Waiter waiter;
    private final CircuitRequest self;
    private final List<NodeId> members;

    private @Nullable Outward[] outs;
    private final boolean[] asked;
    private final boolean[] told;
    private final @Nullable String[] gone;

    /// Of those that are gone: whether they have closed their end.
    private final boolean[] orderly;

    /// Links that members were promised and that are not here yet. What they have sent comes over
    /// these, whatever is known of them by then.
    private final AtomicIntegerArray coming;

    private Inward[] ins = NONE;

    /// How many of [#outs] were refused room or keep something.
    private boolean someBusy;

    /// What has happened elsewhere and is to be taken in.
    private final Queue<Runnable> news = new ConcurrentLinkedQueue<>();

    private volatile boolean changed;
    private volatile boolean closed;

    /// To be told with the next poll.
    private final List<Loss> losses = new ArrayList<>();

    /// @param whole nothing comes from it any more either
    private record Loss(int member, boolean whole, boolean inOrder, String why) {}

    CircuitLinks(NodeRuntime runtime, Waiter waiter, CircuitRequest self, List<NodeId> members) {
        this.runtime = runtime;
        this.waiter = waiter;
        this.self = self;
        this.members = members;
        this.outs = new Outward[members.size()];
        this.asked = new boolean[members.size()];
        this.told = new boolean[members.size()];
        this.gone = new String[members.size()];
        this.orderly = new boolean[members.size()];
        this.coming = new AtomicIntegerArray(members.size());
    }

    CircuitRequest self() {
        return self;
    }

    /// Why this request for a link is refused; null: it is not.
    @Nullable String refusal(CircuitRequest request, NodeId peer) {
        return self.refusal(request, peer, members);
    }

    private void later(Runnable what) {
        news.add(what);
        changed = true;
        waiter.ring();
        if (closed) { // after the look of whoever closed it, who was the last to look
            hear();
        }
    }

    private boolean hear() {
        boolean any = false;
        synchronized (news) {
            for (var next = news.poll(); next != null; next = news.poll()) {
                next.run();
                any = true;
            }
        }
        return any;
    }

    void expect(int from) {
        coming.incrementAndGet(from);
    }

    void failed(int from) {
        later(() -> {
            coming.decrementAndGet(from);
            settle(from);
        });
    }

    void neverCame(int from, String why) {
        later(() -> lost(from, false, why));
    }

    void attach(int from, InChannel channel) {
        later(() -> {
            coming.decrementAndGet(from);
            if (closed || told[from]) {
                channel.refuseRest(
                        closed ? "the circuit was closed" : "you are gone here: " + gone[from]);
                return;
            }
            var more = new ArrayList<>(List.of(ins));
            var in = new Inward(from, channel, waiter::ring);
            more.add(in);
            waiter.add(in);
            reads(more);
        });
    }

    /// Who asked for it gave up before it used it.
    void cancel(InChannel channel) {
        later(() -> {
            for (var in : ins) {
                if (in.channel.equals(channel)) {
                    drop(in);
                    settle(in.from);
                }
            }
            channel.ended();
        });
    }

    private void reads(List<Inward> all) {
        ins = all.toArray(NONE);
        for (var in : ins) {
            in.oneOfSeveral(ins.length > 1);
        }
    }

    String way(int member) {
        var out = outs[member];
        var why = gone[member];
        return why != null
                ? "gone: " + why
                : member == self.member() ? "itself" : out == null ? "none yet" : out.way();
    }

    boolean claim(int to, Frame room, int atLeast) {
        var out = outs[to];
        if (out == null) {
            connect(to);
            return false;
        }
        try {
            boolean granted = out.claim(room, atLeast);
            someBusy |= !granted;
            return granted;
        } catch (LinkBroken e) {
            throw broken(out, e);
        } catch (InternalError e) { // of memory that was cut short, here and below
            throw broken(out, LinkBroken.cut(e));
        }
    }

    /// What was claimed to this member cannot be written to, or is not gone on with.
    CircuitBroken unwritable(int to, LinkBroken e) {
        var out = outs[to];
        return out != null ? broken(out, e) : gone(to, e);
    }

    /// The memory of a frame that has come from this member was cut short.
    CircuitBroken unreadable(int from, LinkBroken e) {
        for (var in : ins) {
            if (in.from == from) {
                broken(in, e);
            }
        }
        return gone(from, e);
    }

    private CircuitBroken gone(int member, LinkBroken e) {
        var why = gone[member];
        var broken = CircuitBroken.gone(member, why != null ? why : String.valueOf(e.getMessage()));
        broken.initCause(e);
        return broken;
    }

    private CircuitBroken broken(Outward out, LinkBroken e) {
        var why = String.valueOf(e.getMessage());
        if (out.channel.closedBecause() == null) {
            out.channel.broken(why); // the other end may not know yet
        }
        leave(out, why);
        var broken = CircuitBroken.gone(out.to, why);
        broken.initCause(e);
        return broken;
    }

    private void requireThere(int to) {
        var why = gone[to];
        if (why != null) {
            throw CircuitBroken.gone(to, why);
        }
    }

    private void connect(int to) {
        requireThere(to);
        if (to == self.member()) {
            throw new IllegalArgumentException("a circuit has no link to its own member");
        }
        if (!asked[to]) {
            asked[to] = true;
            runtime.tasks().start(self.name() + ": connect to member " + to, () -> open(to));
        }
    }

    private void open(int to) {
        if (gone[to] != null) {
            return;
        }
        try {
            var found = CircuitProtocol.of(runtime).connect(members.get(to), self, CONNECT_LIMIT);
            later(() -> attach(found));
        } catch (RuntimeException | Error e) { // whoever waits for the link must hear of it
            if (!closed && runtime.mayOnlyBeSilent(members.get(to), e)) {
                again(to);
                return;
            }
            var why = e instanceof IbidemException ? String.valueOf(e.getMessage()) : e.toString();
            later(() -> {
                unreachable(to, false, why);
                settle(to);
            });
        }
    }

    /// A process that is stopped is not gone: that is for the pool to say.
    private void again(int to) {
        try {
            runtime.tasks().after(PAUSE, self.name() + ": connect to member " + to, () -> open(to));
        } catch (IllegalStateException _) {
            // this node is going down
        }
    }

    void gone(NodeId peer, String why) {
        int member = members.indexOf(peer);
        if (member >= 0) {
            later(() -> {
                unreachable(member, false, why);
                settle(member);
            });
        }
    }

    private void attach(CircuitProtocol.Made made) {
        var out = new Outward(members.indexOf(made.channel().peer()), made);
        if (closed) {
            CircuitEnd.later(runtime, out); // whoever hears of it is closing, within a limit
            return;
        }
        outs[out.to] = out;
        someBusy = true; // so that who was refused is told
        out.wasRefused();
        waiter.addBeside(out);
        out.channel.whenClosed(() -> later(() -> closed(out)));
    }

    private void closed(Outward out) {
        if (out.equals(outs[out.to])) {
            leave(out, String.valueOf(out.channel.closedBecause()));
        }
    }

    /// Sends it. Returns the link, where it has to be asked again to hand on; else null.
    @Nullable Outward commit(int to, Frame room, int flags) {
        var out = outs[to];
        if (out == null) {
            requireThere(to);
            throw new IllegalStateException(
                    "nothing was claimed to member " + to + ", or the circuit was closed since");
        }
        try {
            out.commit(room, flags);
            someBusy |= out.isBusy();
            return out.isUnsent() ? out : null;
        } catch (LinkBroken e) {
            throw broken(out, e);
        } catch (InternalError e) {
            throw broken(out, LinkBroken.cut(e));
        }
    }

    int largest(int to) {
        var out = outs[to];
        return out == null ? SMALLEST : out.largest();
    }

    /// @param first of several looks for the same
    /// @param more how many times more a link that is the only one may be looked at
    boolean poll(CircuitReceiver receiver, boolean first, int more) {
        boolean any = false;
        if (changed) {
            any = takeIn(receiver);
        }
        var all = ins;
        for (var in : all) {
            any |= all.length == 1 ? poll(in, first, more, receiver) : poll(in, false, 0, receiver);
        }
        if (someBusy) {
            any |= pushAll(receiver);
        }
        return any;
    }

    private boolean takeIn(CircuitReceiver receiver) {
        changed = false; // before the look: what comes after it sets it again
        boolean any = hear();
        for (var loss : List.copyOf(losses)) {
            losses.remove(loss);
            any = true; // who waits for this member is told of it
            if (loss.whole) {
                receiver.lost(loss.member, loss.inOrder, loss.why);
            } else {
                receiver.closed(loss.member, loss.why);
            }
        }
        return any;
    }

    private boolean poll(Inward in, boolean glance, int more, CircuitReceiver receiver) {
        try {
            if (!in.poll(glance, more)) {
                return false;
            }
            if ((in.frame().flags & Frame.END) != 0) {
                in.release();
                drop(in);
                in.channel.ended();
                lost(in.from, true, "it has closed its end");
            } else {
                in.hold(!receiver.frame(in.from, in.frame()));
            }
        } catch (LinkBroken e) {
            broken(in, e);
        } catch (InternalError e) { // of memory that was cut short
            broken(in, LinkBroken.cut(e));
        }
        return true;
    }

    private void broken(Inward in, LinkBroken e) {
        var why = String.valueOf(e.getMessage());
        drop(in);
        in.channel.broken(why);
        lost(in.from, false, why);
    }

    void proceed(int from) {
        List.of(ins).stream().filter(in -> in.from == from).forEach(in -> in.hold(false));
    }

    private void drop(Inward in) {
        waiter.remove(in);
        reads(List.of(ins).stream().filter(other -> !other.equals(in)).toList());
    }

    /// Hands on what is still here, as far as there is room. Needs the turn.
    void push() {
        for (var out : outs) {
            try {
                boolean _ = out != null && out.handsOn();
            } catch (LinkBroken | InternalError _) {
                // who polls or sends next is told
            }
        }
    }

    private boolean pushAll(CircuitReceiver receiver) {
        boolean any = false;
        boolean busy = false;
        for (var out : outs) {
            if (out != null && out.isBusy()) {
                any |= tryAgain(out, receiver);
                busy |= out.isBusy();
            }
        }
        someBusy = busy;
        return any;
    }

    private boolean tryAgain(Outward out, CircuitReceiver receiver) {
        try {
            if (out.hasRoomAgain()) {
                receiver.room(out.to);
                return true;
            }
        } catch (LinkBroken e) {
            broken(out, e);
        } catch (InternalError e) {
            broken(out, LinkBroken.cut(e));
        }
        return false;
    }

    private void lost(int member, boolean inOrder, String why) {
        if (gone[member] == null) {
            gone[member] = why;
        }
        if (!told[member]) {
            told[member] = true;
            losses.add(new Loss(member, true, inOrder, why));
            changed = true;
        }
    }

    /// Nothing goes there any more.
    private void unreachable(int member, boolean inOrder, String why) {
        if (gone[member] == null) {
            gone[member] = why;
            orderly[member] = inOrder;
            losses.add(new Loss(member, false, inOrder, why));
            changed = true;
        }
    }

    /// A member to whom nothing goes any more is lost once nothing can come from there either: a
    /// link that is here, or is being made, says itself when it is over, behind what came before.
    private void settle(int member) {
        var why = gone[member];
        boolean nothing = List.of(ins).stream().noneMatch(in -> in.from == member);
        if (why != null && coming.get(member) == 0 && nothing) {
            lost(member, orderly[member], why);
        }
    }

    private void leave(Outward out, String why) {
        outs[out.to] = null;
        out.leave();
        boolean inOrder = out.channel.closedInOrder();
        unreachable(out.to, inOrder, why);
        waiter.remove(out);
        if (inOrder) { // the link may serve another, and its other direction does
            CircuitEnd.later(runtime, out);
        } else {
            out.channel.detached();
        }
        settle(out.to);
    }

    /// Ends all links.
    ///
    /// @param inTurn whether the turn is in hand: otherwise the links are given up
    /// @param limit how long members are waited for, all together
    /// @return whether all that was sent has arrived
    boolean close(boolean inTurn, Duration limit) {
        closed = true;
        if (inTurn) {
            hear();
        }
        @Nullable Outward[] left;
        synchronized (news) { // who hears more now ends none again: the next user would read it
            left = outs;
            outs = new Outward[left.length];
        }
        var ending = Stream.of(left).filter(Objects::nonNull).toList();
        for (var out : ending) {
            out.leave();
            waiter.remove(out);
        }
        boolean arrived = new CircuitEnd(runtime, self.name(), ending, limit).end(inTurn);
        for (var in : ins) {
            waiter.remove(in);
            CircuitEnd.leave(in.channel, inTurn);
        }
        waiter.close();
        return arrived;
    }
}
