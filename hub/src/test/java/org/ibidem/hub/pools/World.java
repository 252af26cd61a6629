package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;

/// A small world around one pool `p` of few nodes, and everything that can happen in it next. Time
/// and sessions are as few as they can be: what happens depends on no more of them.
public final class World {
    public static final String POOL = "p";
    static final Limits LIMITS = new Limits(30, 4, 8, 64);

    private static final int SIZE = 2;
    private static final int MOST_TOKENS = 2;
    private static final int MOST_TERMS = 3;

    public final Pools pools;
    final long now;
    private final int nodes;
    private final boolean sized;
    private byte[] image;

    private World(Pools pools, long now, int nodes, boolean sized) {
        this.pools = pools;
        this.now = now;
        this.nodes = nodes;
        this.sized = sized;
    }

    public static World begin(int nodes) {
        return begin(nodes, LIMITS);
    }

    /// A world that keeps so many changes only.
    public static World begin(int nodes, int changes) {
        return begin(nodes, new Limits(30, 4, 8, changes));
    }

    private static World begin(int nodes, Limits limits) {
        return new World(new Pools(Driven.EPOCH, limits), 0, nodes, false);
    }

    /// A world whose nodes want a pool of so many members and certain ranks in it, or were members
    /// before the hub forgot its state, and remember. Less of the rest can happen.
    static World beginSized(int nodes) {
        return new World(new Pools(Driven.EPOCH, LIMITS), 0, nodes, true);
    }

    /// The same world once more, by way of its image; from then on this one stays as it is.
    World copy() {
        return new World(Image.read(image(), LIMITS), now, nodes, sized);
    }

    /// Its image, for when nothing happens here any more.
    byte[] image() {
        if (image == null) {
            image = Image.of(pools);
        }
        return image;
    }

    /// The same, some time later.
    World at(long later) {
        return new World(pools, later, nodes, sized);
    }

    /// Everything that can happen next, and changes how things are.
    public List<Command> next() {
        var next = new ArrayList<Command>();
        for (int n = 1; n <= nodes; n++) {
            var id = Driven.id(n);
            var seat = seat(id);
            if (sized) {
                wishes(next, n, id);
            } else if (seat == null) {
                next.add(attach(id, 1, Past.NONE));
            } else {
                next.add(attach(id, 1 + seat.session % 2, Past.NONE)); // the same join again
            }
            if (seat != null) {
                happenings(next, id, seat);
                operations(next, id, seat);
            }
            next.add(attach(id, seat == null ? 1 : 1 + seat.session % 2, ofThisLife()));
            if (seat != null && seat.session == 0) {
                beyond(next, id);
            }
        }
        next.add(new Command.Expire(now + LIMITS.suspicion()));
        next.add(new Command.Restart(now));
        return next;
    }

    /// It knows what the hub that was started again does not.
    private void beyond(List<Command> next, NodeId id) {
        var won = new PoolEvent.Elected("e", seat(id).member, 1);
        for (boolean recalled : new boolean[] {false, true}) {
            var past = new Past(Driven.EPOCH, 1_000_000, "", Optional.empty(), recalled);
            var all = new Recalled(List.of(), recalled ? List.of(won) : List.of());
            next.add(attach(wish(id, 0, -1, past), all));
        }
    }

    private void happenings(List<Command> next, NodeId id, Seat seat) {
        next.add(new Command.Leave(POOL, id));
        next.add(new Command.Proved(POOL, id, seat.session, "proof"));
        next.add(new Command.Proved(POOL, id, seat.session + 7, "of an old connection"));
        next.add(new Command.Lost(POOL, id, seat.session, "lost", now));
        next.add(new Command.Heard(POOL, id, seat.session));
    }

    /// Newcomers first, then who was there before.
    private void wishes(List<Command> next, int n, NodeId id) {
        for (int rank : new int[] {-1, 0, SIZE - 1, SIZE}) {
            next.add(attach(wish(id, SIZE, rank, Past.NONE), Recalled.NONE));
        }
        next.add(attach(wish(id, 0, -1, Past.NONE), Recalled.NONE));
        next.add(attach(wish(id, SIZE + 1, -1, Past.NONE), Recalled.NONE));
        next.add(attach(wish(id, SIZE, n - 1, before("", false)), Recalled.NONE));
        var one = new Member(Driven.id(1), 0, Driven.HERE);
        var two = new Member(Driven.id(2), 1, Driven.HERE);
        var won = new PoolEvent.Elected("e", one, 1);
        var all = new Recalled(List.of(one, two), List.of(won));
        next.add(attach(wish(id, SIZE, n - 1, before("", true)), Recalled.NONE));
        next.add(attach(wish(id, SIZE, n - 1, before("it was full", true)), all));
        next.add(attach(wish(id, SIZE, SIZE, before("", true)), all));
        var beyond = new Member(Driven.id(2), SIZE, Driven.HERE);
        var wrong = new Recalled(List.of(beyond), List.of(won));
        next.add(attach(wish(id, SIZE, -1, before("", true)), wrong));
    }

    private static Past before(String closed, boolean recalled) {
        return new Past(Driven.BEFORE, 5, closed, Optional.empty(), recalled);
    }

    private void operations(List<Command> next, NodeId id, Seat seat) {
        var pool = pool();
        add(next, id, seat, new Operation.Elect("e"), term(pool) < MOST_TERMS);
        add(next, id, seat, new Operation.Withdraw("e"), term(pool) < MOST_TERMS);
        add(next, id, seat, new Operation.AssumeDead(Driven.id(1), "why"), true);
        add(next, id, seat, new Operation.Close("enough"), pool.closed.isEmpty());
        add(next, id, seat, new Operation.Terminate(), pool.terminated == null);
        if (!sized) {
            supplies(next, id, seat);
        }
    }

    private void supplies(List<Command> next, NodeId id, Seat seat) {
        var pool = pool();
        boolean first = !pool.sequences.containsKey("s") || pool.sequences.get("s") < 2;
        add(next, id, seat, new Operation.Next("s", 1), first);
        add(next, id, seat, new Operation.Add("t", 1), pool.supplies.count("t") < MOST_TOKENS);
        add(next, id, seat, new Operation.Set("t", 0), true);
        boolean waits = waiting(seat).isEmpty();
        add(next, id, seat, new Operation.Take("t", true), waits);
        add(next, id, seat, new Operation.Take("t", false), true);
        for (long call : waiting(seat)) {
            add(next, id, seat, new Operation.Cancel(call), true);
        }
        add(next, id, seat, new Operation.Signal("hi", true, List.of()), true);
        add(next, id, seat, new Operation.Signal("hi", false, List.of(Driven.id(1))), true);
    }

    private static void add(
            List<Command> next, NodeId id, Seat seat, Operation operation, boolean may) {
        if (may) {
            next.add(new Command.Operate(POOL, id, seat.ledger.last + 1, waiting(seat), operation));
        }
    }

    private Command attach(NodeId id, long session, Past past) {
        var wish = wish(id, 0, -1, past);
        return new Command.Attach(POOL, session, wish, Recalled.NONE, now);
    }

    /// On its next connection.
    private Command attach(Request.Attach wish, Recalled recalled) {
        var seat = seat(wish.contact().id());
        long session = seat == null ? 1 : 1 + seat.session % 2;
        return new Command.Attach(POOL, session, wish, recalled, now);
    }

    private static Request.Attach wish(NodeId id, int size, int rank, Past past) {
        var contact = new Contact(id, List.of(), Map.of());
        return new Request.Attach(
                Protocol.VERSION,
                contact,
                Driven.HERE,
                Tag.NONE,
                size,
                rank,
                Membership.ORDERED,
                past,
                new Request.Arrival(size == 0 ? 1 : 0, "", ""));
    }

    private static Past ofThisLife() {
        return new Past(Driven.EPOCH, 0, "", Optional.empty(), false);
    }

    private Seat seat(NodeId id) {
        var pool = pools.pool(POOL);
        return pool == null ? null : pool.seat(id);
    }

    private Pool pool() {
        return pools.pool(POOL);
    }

    private static long term(Pool pool) {
        var race = pool.races.races.get("e");
        return race == null ? 0 : race.term;
    }

    /// The operations of a member that have no outcome yet.
    static List<Long> waiting(Seat seat) {
        var calls = new ArrayList<Long>();
        seat.ledger.open.forEach((call, outcome) -> {
            if (outcome.isEmpty()) {
                calls.add(call);
            }
        });
        return calls;
    }

    /// How things are: two worlds of one state have the same future. Leaves out the past, and how
    /// high the numbers of calls, changes and sessions are.
    String state() {
        var pool = pools.pool(POOL);
        if (pool == null) {
            return "none";
        }
        var text = new StringBuilder();
        pool.seats().forEach(seat -> seat(text, seat));
        pool.dead.keySet().forEach(id -> text.append('+').append(id.low()));
        text.append(" of ").append(pool.size);
        text.append(pool.recallUntil == null ? "" : " recalls " + (pool.recallUntil - now));
        text.append(pool.closed.isEmpty() ? "" : " closed");
        text.append(pool.terminated == null ? "" : " terminated");
        pool.races.races.forEach((name, race) -> {
            text.append(' ').append(name).append(race.term).append(race.winner != null ? 'w' : '-');
            race.candidates.forEach(id -> text.append(id.low()));
        });
        pool.supplies.supplies.forEach((name, supply) -> {
            text.append(' ').append(name).append(supply.count);
            supply.waiters.forEach(waiter -> text.append(waiter.id().low()));
        });
        return text.append(pool.sequences).toString();
    }

    private void seat(StringBuilder text, Seat seat) {
        text.append(seat.member.rank())
                .append(':')
                .append(seat.member.id().low())
                .append(seat.suspected ? 's' : seat.awaited ? 'a' : '-')
                .append(seat.session == 0 ? '0' : '-')
                .append(seat.lost() ? seat.deadline - now : 0)
                .append(waiting(seat).size())
                .append(' ');
    }

    @Override
    public String toString() {
        return nodes + (sized ? " nodes of a pool with a size and a past" : " nodes");
    }
}
