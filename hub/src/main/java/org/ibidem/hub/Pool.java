package org.ibidem.hub;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The state of one pool. Every change goes through one of the few methods here that also log it,
/// so that the members' views cannot part from it.
final class Pool {
    private static final int MOST_DEAD = 4096;

    final String name;
    final int size;
    final ChangeLog log;

    /// Until when members that others remember are taken in, in nanoseconds; null: the pool began
    /// in this run of the hub.
    @Nullable Long recallUntil;

    private final Map<NodeId, Seat> seats = new LinkedHashMap<>();
    private final TreeMap<Integer, Seat> ranks = new TreeMap<>();
    private final Map<NodeId, String> dead = new LinkedHashMap<>();
    private String closed = "";

    Pool(String name, int size, ChangeLog log) {
        this.name = name;
        this.size = size;
        this.log = log;
    }

    @Nullable Seat seat(NodeId id) {
        return seats.get(id);
    }

    /// How a node that is dead to this pool died, or null.
    @Nullable String death(NodeId id) {
        return dead.get(id);
    }

    Collection<Seat> seats() {
        return seats.values();
    }

    /// Why nobody may join any more, or empty.
    String closed() {
        return closed;
    }

    boolean full() {
        return size > 0 && seats.size() >= size;
    }

    boolean taken(int rank) {
        return ranks.containsKey(rank);
    }

    int lowestFreeRank() {
        int free = 0;
        for (int rank : ranks.keySet()) {
            if (rank != free) {
                break;
            }
            free++;
        }
        return free;
    }

    Seat join(Member member) {
        var seat = new Seat(member);
        seats.put(member.id(), seat);
        ranks.put(member.rank(), seat);
        log.add(new PoolEvent.Joined(member));
        return seat;
    }

    void suspect(Seat seat, String why, long deadline) {
        seat.suspected = true;
        seat.deadline = deadline;
        log.add(new PoolEvent.Suspected(seat.member, Protocol.clip(why)));
    }

    void restore(Seat seat) {
        if (seat.suspected) {
            seat.suspected = false;
            log.add(new PoolEvent.Restored(seat.member));
        }
    }

    void leave(Seat seat) {
        boolean wasFull = remove(seat);
        log.add(new PoolEvent.Left(seat.member));
        closeAfter(wasFull, seat.member, "left");
    }

    void die(Seat seat, String why) {
        boolean wasFull = remove(seat);
        if (dead.size() == MOST_DEAD) {
            dead.remove(dead.keySet().iterator().next());
        }
        dead.put(seat.member.id(), Protocol.clip(why));
        log.add(new PoolEvent.Died(seat.member, Protocol.clip(why)));
        closeAfter(wasFull, seat.member, "died");
    }

    void close(String why) {
        if (closed.isEmpty()) {
            closed = Protocol.clip(why);
            log.add(new PoolEvent.Closed(closed));
        }
    }

    /// The whole pool now, in parts that fit into a message each.
    List<Reply.Snapshot> snapshot() {
        var entries =
                seats.values().stream().map(s -> new Reply.Entry(s.member, s.suspected)).toList();
        var parts = new ArrayList<Reply.Snapshot>();
        int from = 0;
        do {
            int to = Math.min(entries.size(), from + Protocol.MEMBERS_AT_ONCE);
            boolean more = to < entries.size();
            parts.add(new Reply.Snapshot(log.last(), more, closed, entries.subList(from, to)));
            from = to;
        } while (from < entries.size());
        return parts;
    }

    private boolean remove(Seat seat) {
        boolean wasFull = full();
        seats.remove(seat.member.id());
        ranks.remove(seat.member.rank());
        return wasFull;
    }

    private void closeAfter(boolean wasFull, Member gone, String how) {
        if (wasFull) {
            close("it had all its " + size + " members, and " + gone + " " + how);
        }
    }
}
