package org.ibidem.circuit;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.ibidem.arbitration.Clock;
import org.ibidem.arbitration.Turn;
import org.ibidem.arbitration.WaitInterrupted;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.config.Limit;
import org.ibidem.link.LinkBroken;
import org.ibidem.registry.Node;
import org.ibidem.registry.access.Runtimes;
import org.ibidem.station.Lingers;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A definite group of nodes in an order, every node to every other: what parallel programs stand
/// on. Each member opens it, with the same members; a link is made when it is needed first.
///
/// ```java
/// try (var circuit = Circuit.open(node, "heat", members, "auto", receiver)) {
///     circuit.enter();
///     if (circuit.claim(1, room, 8)) {
///         room.memory.set(LONG, room.position, 42);
///         room.position += 8;
///         circuit.commit(1, room, 0);
///     }
///     circuit.leave();
///     circuit.await(() -> receiver.hasAll());
/// }
/// ```
///
/// One thread at a time has its **turn**: between [#enter] and [#leave], or while it polls for all
/// that wait, in [#await]. Between two members frames arrive in order.
public final class Circuit implements AutoCloseable {

    private final NodeRuntime runtime;
    private final CircuitLinks links;
    private final CircuitReceiver receiver;
    private final String title;

    /// What the store that gives a turn back needs at most to be seen, and far more.
    private static final long FIRST_PARK = TimeUnit.MILLISECONDS.toNanos(1);

    private final Turn turn = new Turn();
    private final Waiter waiter;
    private final Tail tail;

    /// Threads that want the turn of one who polls.
    private final AtomicInteger wanting = new AtomicInteger();

    /// Threads that wait while another polls for them.
    private final Queue<Thread> parked = new ConcurrentLinkedQueue<>();

    private final WithNode withNode = new WithNode(this);

    private volatile boolean closed;

    /// Who waits is to look, once the turn is given back. Belongs to who has the turn.
    private boolean changed;

    private Circuit(
            NodeRuntime runtime, CircuitRequest self, List<NodeId> members, CircuitReceiver to) {
        this.runtime = runtime;
        this.receiver = to;
        this.title = "circuit '" + self.name() + "'";
        this.waiter = new Waiter(runtime.waiting().below(null));
        this.links = new CircuitLinks(runtime, waiter, self, members);
        this.tail = new Tail(this, runtime.tasks());
    }

    /// Opens this node's end of a circuit; from now on the other members can reach it.
    ///
    /// @param name 1 to 255 bytes, the same at each member, and no other circuit's of its node
    /// @param members in their order, each once; this node is one of them
    /// @param stack what the links are made of, in the stack notation: `auto` mostly. It must lose
    ///   nothing
    /// @param receiver gets the frames
    /// @throws IllegalArgumentException when an argument is not as said
    public static Circuit open(
            Node node, String name, List<NodeId> members, String stack, CircuitReceiver receiver) {
        return open(Runtimes.of(node), name, members, stack, receiver);
    }

    static Circuit open(
            NodeRuntime runtime,
            String name,
            List<NodeId> members,
            String stack,
            CircuitReceiver receiver) {
        int self = members.indexOf(runtime.id());
        if (self < 0) {
            throw new IllegalArgumentException(
                    "node " + runtime.id().brief() + " is no member of circuit '" + name + "'");
        }
        if (members.stream().distinct().count() < members.size()) {
            throw new IllegalArgumentException("circuit '" + name + "' has a member twice");
        }
        var protocol = CircuitProtocol.of(runtime);
        protocol.check(name, members.size(), stack);
        var request =
                new CircuitRequest(name, self, members.size(), CircuitRequest.sum(members), stack);
        var circuit = new Circuit(runtime, request, List.copyOf(members), receiver);
        protocol.add(circuit);
        runtime.closeWith(circuit.withNode);
        return circuit;
    }

    /// This member's number.
    public int self() {
        return links.self().member();
    }

    /// How many members there are.
    public int size() {
        return links.self().members();
    }

    /// What is between this member and another: the stack of the link, the connect method that made
    /// it, and what would have been preferred; or that there is none yet.
    public String way(int member) {
        return links.way(member);
    }

    /// Takes the turn. Who polls gives it up for that.
    public void enter() {
        if (!turn.tryTake()) {
            enterSlowly();
        }
    }

    boolean tryEnter() {
        return turn.tryTake();
    }

    private void enterSlowly() {
        wanting.incrementAndGet(); // before the bell: who polls looks at it when rung
        boolean taken = false;
        try {
            waiter.ring();
            turn.take(title);
            taken = true;
        } finally {
            wanting.decrementAndGet();
            if (!taken) {
                next();
            }
        }
    }

    /// Gives the turn back.
    public void leave() {
        boolean all = changed;
        changed = false;
        turn.giveBack();
        if (all) {
            tell();
        } else {
            next();
        }
    }

    /// What others wait for may be there: they look once the turn is given back. Where it comes by
    /// a frame they do without this. Needs the turn.
    public void changed() {
        changed = true;
    }

    /// Asks for room in a frame to a member. Needs the turn.
    ///
    /// @param room as [org.ibidem.link.FrameSink#claim] fills it in
    /// @param atLeast bytes, at most [#largest]
    /// @return false: there is none now, or the link is still being made: the receiver is told by
    ///   [CircuitReceiver#room] when to ask again
    /// @throws CircuitBroken when the member is gone
    public boolean claim(int to, Frame room, int atLeast) {
        return links.claim(to, room, atLeast);
    }

    /// Sends what was filled in, and leaves the next room in `room`, or none. Needs the turn.
    ///
    /// @param flags [Frame#MORE]: the message goes on; [Frame#HOLD]: it may be kept back until more
    ///   follows
    /// @throws CircuitBroken when the member is gone
    public void commit(int to, Frame room, int flags) {
        var kept = links.commit(to, room, flags);
        if (kept != null) {
            tail.add(kept);
        }
    }

    /// For who could not write to the room that [#claim] gave, since its memory was cut short by
    /// another process of the same user: the JVM's way to say that is an `InternalError`, here it
    /// is a link that is broken. Needs the turn.
    ///
    /// @return to be thrown
    public CircuitBroken unwritable(int to, InternalError cut) {
        return links.unwritable(to, LinkBroken.cut(cut));
    }

    /// For who cannot go on with what it has begun to write to a member, who could read nothing
    /// behind it. Needs the turn.
    ///
    /// @param why for people at both ends
    /// @return to be thrown
    public CircuitBroken givenUp(int to, String why) {
        return links.unwritable(to, new LinkBroken(why));
    }

    /// As [#unwritable], for who could not read a frame that he has kept. What is thrown by
    /// [CircuitReceiver#frame] is taken so by itself. Needs the turn.
    ///
    /// @return to be thrown
    public CircuitBroken unreadable(int from, InternalError cut) {
        return links.unreadable(from, LinkBroken.cut(cut));
    }

    /// The most that [#claim] grants to a member whose link there is, else a little. Needs the
    /// turn.
    public int largest(int to) {
        return links.largest(to);
    }

    /// Looks once at every link, and hands over what has come. Needs the turn.
    ///
    /// @return whether anything has
    public boolean poll() {
        boolean any = pollOnce(true, 0) || pollWhereReady();
        changed |= any;
        return any;
    }

    /// @param first what is polled for has not been looked for before
    /// @param more how many times more the only link may be looked at
    private boolean pollOnce(boolean first, int more) {
        if (closed) {
            throw new IllegalStateException(title + " is closed");
        }
        return links.poll(receiver, first, more);
    }

    /// Of several links, sockets are polled when known to be ready: who does not wait has to ask.
    private boolean pollWhereReady() {
        return waiter.look() && links.poll(receiver, false, 0);
    }

    /// Gives back the frame of this member that its receiver has kept; the next may come. Needs the
    /// turn.
    public void proceed(int from) {
        links.proceed(from);
    }

    /// Waits until `reached`, which is asked after whatever has come, with the turn or without it.
    /// Who waits polls for all, or sleeps while another does. Needs that this thread does not have
    /// the turn.
    ///
    /// @throws WaitInterrupted when the thread is interrupted
    public void await(BooleanSupplier reached) {
        if (!turn.tryTake() || !pollUntil(reached)) {
            waitForAnother(reached);
        }
    }

    /// Gives the turn back, once `reached`: as [#leave] and [#await], where nobody takes the turn
    /// in between unless he asks for it.
    public void leaveWhen(BooleanSupplier reached) {
        if (changed) {
            changed = false;
            tell();
        }
        if (!pollUntil(reached)) {
            waitForAnother(reached);
        }
    }

    private void waitForAnother(BooleanSupplier reached) {
        parked.add(Thread.currentThread());
        long since = Clock.SYSTEM.nanoTime();
        try {
            while (true) {
                // before it looks: who gave the turn back just now may not have seen this thread
                boolean seen = Clock.SYSTEM.nanoTime() - since > FIRST_PARK;
                if (reached.getAsBoolean()) {
                    return;
                }
                if (wanting.get() == 0 && turn.tryTake()) {
                    if (pollUntil(reached)) {
                        return;
                    }
                    continue;
                }
                if (seen) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, FIRST_PARK);
                }
                if (Thread.interrupted()) {
                    Thread.currentThread().interrupt();
                    throw new WaitInterrupted();
                }
            }
        } finally {
            parked.remove(Thread.currentThread());
            next(); // it may have been this one who was to poll
        }
    }

    /// Somebody has to poll.
    private void next() {
        var next = parked.peek();
        if (next != null) {
            LockSupport.unpark(next);
        }
    }

    /// Those that wait look whether they have what they wait for.
    private void tell() {
        for (var thread : parked) {
            LockSupport.unpark(thread);
        }
    }

    /// Has the turn, and gives it back.
    ///
    /// @return false: it is not reached, but another wants the turn
    private boolean pollUntil(BooleanSupplier reached) {
        try {
            boolean waits = false;
            while (!reached.getAsBoolean()) {
                if (pollOnce(!waits, waits ? waiter.more() : 0)) {
                    if (waits) {
                        waiter.found();
                        waits = false;
                    }
                    tell();
                } else if (wanting.get() > 0) {
                    return false;
                } else if (waits) {
                    waiter.idle(Long.MAX_VALUE);
                } else {
                    waits = true;
                    waiter.begin(Long.MAX_VALUE);
                }
            }
            if (waits) {
                waiter.found();
            }
            return true;
        } finally {
            leave();
        }
    }

    /// Ends it within 10 seconds.
    @Override
    public void close() {
        boolean _ = close(Limit.CLOSE.get());
    }

    /// Ends it: tells every member that nothing follows, and waits until what was sent has arrived.
    /// What they still send is dropped.
    ///
    /// @return false: not all has arrived within the limit; what is missing may be lost
    public boolean close(Duration limit) {
        synchronized (this) {
            if (closed) {
                return true;
            }
            closed = true;
        }
        long deadline = waiter.deadline(limit);
        CircuitProtocol.of(runtime).remove(this);
        runtime.closed(withNode);
        tail.close();
        waiter.ring();
        boolean taken = turn.take(limit);
        boolean arrived = links.close(taken, waiter.left(deadline));
        if (taken) {
            turn.giveBack();
        }
        tell();
        return arrived;
    }

    /// As the node closes it.
    private record WithNode(Circuit circuit) implements Lingers {
        @Override
        public void flushAtOnce() {
            if (circuit.tryEnter()) {
                try {
                    circuit.links.push();
                } finally {
                    circuit.leave();
                }
            }
        }

        @Override
        public boolean closeAtOnce() {
            return circuit.closed;
        }

        @Override
        public void closeWithin(Duration limit) {
            boolean _ = circuit.close(limit);
        }

        @Override
        public void close() {
            circuit.close();
        }

        @Override
        public String toString() {
            return circuit.toString();
        }
    }

    String name() {
        return links.self().name();
    }

    /// Why this request for a link is refused; null: it is not.
    @Nullable String refusal(CircuitRequest request, NodeId peer) {
        return links.refusal(request, peer);
    }

    /// A member was promised a link: [#attach] or [#failed] follows.
    void expect(int from) {
        links.expect(from);
    }

    /// A link that was promised will not be.
    void failed(int from) {
        links.failed(from);
    }

    /// The member had used it by then.
    void lost(int from, String why) {
        links.neverCame(from, why);
    }

    /// A node is dead.
    void gone(NodeId peer, String why) {
        links.gone(peer, why);
    }

    /// A link from a member is there.
    void attach(int from, InChannel channel) {
        links.attach(from, channel);
    }

    /// Who asked for a link gave up before it used it.
    void cancel(InChannel channel) {
        links.cancel(channel);
    }

    @Override
    public String toString() {
        return title;
    }
}
