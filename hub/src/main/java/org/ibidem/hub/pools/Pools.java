package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The hub's memory of who is in which pool, and of what they agreed on: one deterministic state
/// machine. Commands go in; answers come out, and numbered changes in each pool's log. No I/O, no
/// clock, no chance, and everything bounded, so that its commands can be journaled and replayed.
///
/// Dead is final within a pool, and needs proof or 30 seconds without contact; a pool without
/// members is forgotten. Not safe for several threads: the hub gives it one command at a time.
public final class Pools {
    private static final Answer DONE = new Answer.Done();

    private final long epoch;
    private final Limits limits;
    private final Map<String, Pool> pools = new TreeMap<>();
    private final List<Delivery> deliveries = new ArrayList<>();
    private int members;

    /// The outcome of an operation that waited, for its member.
    ///
    /// @param pool which pool
    /// @param to who asked for it
    /// @param call which of its operations
    /// @param outcome what came of it
    public record Delivery(String pool, NodeId to, long call, Outcome outcome) {}

    /// No pools yet.
    ///
    /// @param epoch a number that no other life of this hub's state has; not 0
    public Pools(long epoch, Limits limits) {
        if (epoch == 0) {
            throw new IllegalArgumentException("epoch 0 means none: give another one");
        }
        this.epoch = epoch;
        this.limits = limits;
    }

    /// Which life of the hub's state this is.
    public long epoch() {
        return epoch;
    }

    /// Obeys one command.
    public Answer apply(Command command) {
        return switch (command) {
            case Command.Attach attach -> new Doorkeeper(this, attach).decide();
            case Command.Operate operate -> operate(operate);
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
            case Command.Restart(var now) -> restart(now);
        };
    }

    /// What became of an operation that was made before.
    ///
    /// @return null when it never was, and nothing has come of it
    public @Nullable Answer answered(Command.Operate command) {
        var pool = pools.get(command.pool());
        var seat = pool == null ? null : pool.seat(command.id());
        return pool == null || seat == null || !seat.ledger.knows(command.call())
                ? null
                : new Operator(this, pool, seat).answer(command.call());
    }

    /// The pool of this name, or null; for reading only.
    public @Nullable Pool pool(String name) {
        return pools.get(name);
    }

    /// All pools, for reading only.
    public Collection<Pool> all() {
        return pools.values();
    }

    /// How many members all pools have.
    public int members() {
        return members;
    }

    /// When the time of the next member without contact is up, in nanoseconds; none when all have
    /// contact.
    public Optional<Long> nextDeadline() {
        return pools.values().stream()
                .flatMap(pool -> pool.seats().stream())
                .filter(Seat::lost)
                .map(seat -> seat.deadline)
                .reduce((a, b) -> a - b < 0 ? a : b);
    }

    /// The outcomes since the last call of those operations that had waited.
    public List<Delivery> takeDeliveries() {
        var taken = List.copyOf(deliveries);
        deliveries.clear();
        return taken;
    }

    Limits limits() {
        return limits;
    }

    boolean roomForPool(String name) {
        return limits.governed().contains(name) || others().count() < limits.pools();
    }

    /// @param size members that the pool has
    boolean roomForMember(String name, int size) {
        if (limits.governed().contains(name)) {
            return size < limits.members();
        }
        int reserved = limits.reserved();
        return size < reserved
                || others().mapToInt(pool -> Math.max(0, pool.seats.size() - reserved)).sum()
                        < limits.members();
    }

    /// Those that are not governed.
    private Stream<Pool> others() {
        return pools.values().stream().filter(pool -> !limits.governed().contains(pool.name));
    }

    /// Begins a pool; it must get a member at once.
    Pool open(String name, int size) {
        var pool = new Pool(name, size, new ChangeLog(limits.changes()));
        pools.put(name, pool);
        return pool;
    }

    /// Takes over a pool as it was.
    void restore(Pool pool) {
        pools.put(pool.name, pool);
        members += pool.seats.size();
    }

    Seat join(Pool pool, Member member) {
        members++;
        return pool.join(member);
    }

    void deliver(Delivery delivery) {
        deliveries.add(delivery);
    }

    void die(Pool pool, Seat seat, String why) {
        pool.die(seat, why);
        gone(pool);
    }

    private Answer operate(Command.Operate command) {
        var pool = pools.get(command.pool());
        var seat = pool == null ? null : pool.seat(command.id());
        return pool == null || seat == null ? DONE : new Operator(this, pool, seat).obey(command);
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
        die(at.pool, at.seat, why);
        return DONE;
    }

    private Answer suspect(At at, String why, long now) {
        at.pool.suspect(at.seat, why, now + limits.suspicion());
        return DONE;
    }

    private Answer restore(At at) {
        at.pool.restore(at.seat);
        return DONE;
    }

    private Answer expire(long now) {
        for (var pool : List.copyOf(pools.values())) {
            for (var seat : List.copyOf(pool.seats())) {
                if (seat.lost() && seat.deadline - now <= 0) {
                    long seconds = limits.suspicion() / 1_000_000_000;
                    die(
                            new At(pool, seat),
                            seat.awaited
                                    ? "not back within "
                                            + seconds
                                            + " s after its hub was started again"
                                    : "no contact for " + seconds + " s");
                }
            }
        }
        return DONE;
    }

    private Answer restart(long now) {
        for (var pool : pools.values()) {
            if (pool.recallUntil != null) {
                pool.recallUntil = now + limits.suspicion();
            }
            pool.restarted = pool.log.last();
            pool.seats().forEach(seat -> pool.await(seat, now + limits.suspicion()));
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
