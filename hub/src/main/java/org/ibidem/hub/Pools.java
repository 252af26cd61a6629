package org.ibidem.hub;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ibidem.registry.Member;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The hub's memory of who is in which pool: one deterministic state machine. Commands go in;
/// answers come out, and numbered changes in each pool's log. No I/O, no clock, no chance, and
/// everything bounded, so that its commands can be journaled and replayed elsewhere.
///
/// Dead is final within a pool, and needs proof or 30 seconds without contact; a pool without
/// members is forgotten. Not safe for several threads: the hub gives it one command at a time.
final class Pools {
    private static final Answer DONE = new Answer.Done();

    private final long epoch;
    private final Bounds bounds;
    private final Map<String, Pool> pools = new TreeMap<>();
    private int members;

    /// No pools yet.
    ///
    /// @param epoch a number that no other run of this hub has; not 0
    Pools(long epoch, Bounds bounds) {
        if (epoch == 0) {
            throw new IllegalArgumentException("epoch 0 means none: give another one");
        }
        this.epoch = epoch;
        this.bounds = bounds;
    }

    /// Which run of the hub this is.
    long epoch() {
        return epoch;
    }

    /// Obeys one command.
    Answer apply(Command command) {
        return switch (command) {
            case Command.Attach attach -> new Doorkeeper(this, attach).decide();
            case Command.Leave(var pool, var id) -> leave(pool, id);
            case Command.Proved(var pool, var id, var session, var proof) -> {
                var at = at(pool, id, session);
                yield at == null ? DONE : die(at, proof);
            }
            case Command.Lost(var pool, var id, var session, var why, var now) -> {
                var at = at(pool, id, session);
                yield at == null || at.seat.suspected ? DONE : suspect(at, why, now);
            }
            case Command.Heard(var pool, var id, var session) -> {
                var at = at(pool, id, session);
                yield at == null ? DONE : restore(at);
            }
            case Command.Expire(var now) -> expire(now);
        };
    }

    /// The pool of this name, or null; for reading only.
    @Nullable Pool pool(String name) {
        return pools.get(name);
    }

    /// When the next suspected member's time is up, in nanoseconds; none when nobody is suspected.
    Optional<Long> nextDeadline() {
        return pools.values().stream()
                .flatMap(pool -> pool.seats().stream())
                .filter(seat -> seat.suspected)
                .map(seat -> seat.deadline)
                .reduce((a, b) -> a - b < 0 ? a : b);
    }

    Bounds bounds() {
        return bounds;
    }

    boolean roomForPool() {
        return pools.size() < bounds.pools();
    }

    boolean roomForMember() {
        return members < bounds.members();
    }

    /// Begins a pool; it must get a member at once.
    Pool open(String name, int size) {
        var pool = new Pool(name, size, new ChangeLog(bounds.changes()));
        pools.put(name, pool);
        return pool;
    }

    Seat join(Pool pool, Member member) {
        members++;
        return pool.join(member);
    }

    private Answer leave(String name, NodeId id) {
        var pool = pools.get(name);
        var seat = pool == null ? null : pool.seat(id);
        if (pool != null && seat != null) {
            pool.leave(seat);
            gone(pool);
        }
        return DONE;
    }

    private Answer die(At at, String why) {
        at.pool.die(at.seat, why);
        gone(at.pool);
        return DONE;
    }

    private Answer suspect(At at, String why, long now) {
        at.pool.suspect(at.seat, why, now + bounds.suspicion().toNanos());
        return DONE;
    }

    private Answer restore(At at) {
        at.pool.restore(at.seat);
        return DONE;
    }

    private Answer expire(long now) {
        for (var pool : List.copyOf(pools.values())) {
            for (var seat : List.copyOf(pool.seats())) {
                if (seat.suspected && seat.deadline - now <= 0) {
                    die(
                            new At(pool, seat),
                            "no contact for " + bounds.suspicion().toSeconds() + " s");
                }
            }
        }
        return DONE;
    }

    private void gone(Pool pool) {
        members--;
        if (pool.seats().isEmpty()) {
            pools.remove(pool.name);
        }
    }

    /// The seat, unless the member is on another session by now.
    private @Nullable At at(String name, NodeId id, long session) {
        var pool = pools.get(name);
        var seat = pool == null ? null : pool.seat(id);
        return pool == null || seat == null || seat.session != session ? null : new At(pool, seat);
    }

    private record At(Pool pool, Seat seat) {}
}
