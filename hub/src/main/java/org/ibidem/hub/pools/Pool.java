package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The state of one pool. Every change goes through one of the few methods here that also log it,
/// so that the members' views cannot part from it.
public final class Pool {
    final String name;
    final int size;
    final ChangeLog log;
    final Races races = new Races();
    final Supplies supplies = new Supplies();
    final Map<String, Long> sequences = new LinkedHashMap<>();
    final Map<NodeId, Seat> seats = new LinkedHashMap<>();
    final Map<NodeId, Death> dead = new LinkedHashMap<>();

    /// Number of the last change when the hub was started again from its state.
    long restarted;

    /// Number of the last death that is not remembered any more.
    long deathForgotten;

    /// How a member died.
    ///
    /// @param why for people
    /// @param number of the change
    record Death(String why, long number) {}

    /// Until when members that others remember are taken in, in nanoseconds; null: the pool began
    /// in this life of the hub's state.
    @Nullable Long recallUntil;

    /// Why nobody may join any more, or empty.
    String closed = "";

    /// Who terminated it, or null.
    @Nullable Member terminated;

    private final TreeMap<Integer, Seat> ranks = new TreeMap<>();

    Pool(String name, int size, ChangeLog log) {
        this.name = name;
        this.size = size;
        this.log = log;
    }

    /// The seat of this member, or null.
    public @Nullable Seat seat(NodeId id) {
        return seats.get(id);
    }

    /// How a node that is dead to this pool died, or null.
    public @Nullable String death(NodeId id) {
        var death = dead.get(id);
        return death == null ? null : death.why;
    }

    /// Who died after change `since`, as far as it is remembered.
    public List<Reply.Dead> deaths(long since) {
        var deaths = new ArrayList<Reply.Dead>();
        dead.forEach((id, death) -> {
            if (death.number > since) {
                deaths.add(new Reply.Dead(id, death.why));
            }
        });
        return deaths;
    }

    /// How many members it is for, or 0.
    public int size() {
        return size;
    }

    /// Who terminated it, or null.
    public @Nullable Member terminated() {
        return terminated;
    }

    /// All members' seats; not to be changed.
    public Collection<Seat> seats() {
        return seats.values();
    }

    /// What happened, by number.
    public ChangeLog log() {
        return log;
    }

    /// Why nobody may join any more, or empty.
    public String closed() {
        return closed;
    }

    boolean full() {
        return size > 0 && seats.size() >= size;
    }

    boolean taken(int rank) {
        return ranks.containsKey(rank);
    }

    int lowestFreeRank() {
        // Nearly always the ranks are 0 to n - 1.
        int free = ranks.isEmpty() || ranks.lastKey() != ranks.size() - 1 ? 0 : ranks.size();
        for (int rank : ranks.tailMap(free).keySet()) {
            if (rank != free) {
                break;
            }
            free++;
        }
        return free;
    }

    Seat join(Member member) {
        var seat = new Seat(member, log.last() + 1);
        place(seat);
        add(new PoolEvent.Joined(member));
        if (full()) {
            close("it has all its " + size + " members");
        }
        return seat;
    }

    /// Puts a seat where it belongs, without a word.
    void place(Seat seat) {
        seats.put(seat.member.id(), seat);
        ranks.put(seat.member.rank(), seat);
    }

    void suspect(Seat seat, String why, long deadline) {
        seat.suspected = true;
        seat.deadline = deadline;
        add(new PoolEvent.Suspected(seat.member, Protocol.clip(why)));
    }

    /// It is waited for, and nobody is told.
    void await(Seat seat, long deadline) {
        seat.session = 0;
        seat.awaited = !seat.suspected;
        seat.deadline = deadline;
    }

    void restore(Seat seat) {
        seat.awaited = false;
        if (seat.suspected) {
            seat.suspected = false;
            add(new PoolEvent.Restored(seat.member));
        }
    }

    void leave(Seat seat) {
        remove(seat, new PoolEvent.Left(seat.member));
    }

    void die(Seat seat, String why) {
        if (dead.size() == Protocol.MOST_DEAD) {
            var oldest = dead.entrySet().iterator().next();
            deathForgotten = oldest.getValue().number;
            dead.remove(oldest.getKey());
        }
        var reason = Protocol.clip(why);
        dead.put(seat.member.id(), new Death(reason, log.last() + 1));
        remove(seat, new PoolEvent.Died(seat.member, reason));
    }

    void close(String why) {
        if (closed.isEmpty()) {
            closed = Protocol.clip(why);
            add(new PoolEvent.Closed(closed));
        }
    }

    void terminate(Member by) {
        if (terminated == null) {
            terminated = by;
            close("it was terminated by " + by);
            add(new PoolEvent.Terminated(by));
        }
    }

    /// Sends a signal to those of them that are members.
    ///
    /// @param to null: to all
    /// @return to how many
    int signal(Member from, String signal, @Nullable Collection<NodeId> to) {
        var change = new PoolEvent.Signalled(from, signal);
        if (to == null) {
            add(change);
            return seats.size();
        }
        Set<NodeId> there = new HashSet<>(to);
        there.retainAll(seats.keySet());
        if (!there.isEmpty()) {
            add(new ChangeLog.Entry(change, Set.copyOf(there)));
        }
        return there.size();
    }

    void addAll(List<Change> changes) {
        changes.forEach(this::add);
    }

    Member member(NodeId id) {
        return Objects.requireNonNull(seats.get(id), "no member").member;
    }

    /// Whether signals for this member after change `seen` are forgotten.
    public boolean missed(NodeId id, long seen) {
        var seat = seats.get(id);
        return seat != null && seat.missed(seen);
    }

    /// The signals kept that are for this member and came after change `seen`.
    public List<Change> signals(NodeId id, long seen) {
        var seat = seats.get(id);
        var signals = new ArrayList<Change>();
        if (seat != null) {
            long first = Math.max(log.first(), Math.max(seen, seat.since) + 1);
            for (long number = first; number <= log.last(); number++) {
                var entry = log.at(number);
                if (entry.change() instanceof PoolEvent.Signalled && entry.concerns(id)) {
                    signals.add(entry.change());
                }
            }
        }
        return signals;
    }

    /// What a snapshot says about the pool as a whole.
    ///
    /// @param since up to which change it is known
    public Reply.Facts facts(boolean missed, long since) {
        return new Reply.Facts(
                closed, Optional.ofNullable(terminated), missed, deathForgotten > since);
    }

    /// All members now.
    public List<Reply.Entry> entries() {
        var entries = new ArrayList<Reply.Entry>(seats.size());
        seats.values().forEach(seat -> entries.add(new Reply.Entry(seat.member, seat.suspected)));
        return entries;
    }

    /// All elections that have a winner now.
    public List<PoolEvent.Elected> elections() {
        return races.results();
    }

    private void remove(Seat seat, Change change) {
        var id = seat.member.id();
        seats.remove(id);
        ranks.remove(seat.member.rank());
        add(change);
        supplies.gone(id);
        addAll(races.gone(id, this::member));
    }

    private void add(Change change) {
        add(new ChangeLog.Entry(change, null));
    }

    void add(ChangeLog.Entry entry) {
        var forgotten = log.add(entry);
        if (forgotten != null && forgotten.change() instanceof PoolEvent.Signalled) {
            forget(forgotten);
        }
    }

    // Only those who were members then were to get it.
    private void forget(ChangeLog.Entry signal) {
        long number = log.first() - 1;
        for (var seat : seats.values()) {
            if (signal.concerns(seat.member.id()) && seat.since < number) {
                seat.forgotten = number;
            }
        }
    }
}
