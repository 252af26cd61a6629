package org.ibidem.hub.pools;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.ibidem.hub.pools.Command.Recalled;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;

/// Pools with the words tests need, and a time moved by hand.
final class Driven {
    static final long EPOCH = 77;
    static final long BEFORE = 76;
    static final Limits LIMITS = new Limits(30_000_000_000L, 256, 16 * 1024, 1024);
    static final Location HERE = Location.parse("host@site");

    Pools pools;
    private long call;
    private final String pool;
    private long session = 100;
    private long now = Long.MAX_VALUE - 5; // near the overflow, which must not matter

    Driven(String pool, Limits limits) {
        this.pool = pool;
        this.pools = new Pools(EPOCH, limits);
    }

    static NodeId id(int n) {
        return new NodeId(n, n);
    }

    Answer join(int node) {
        return join(node, 0, -1);
    }

    Answer join(int node, int size, int rank) {
        return attach(node, size, rank, Past.NONE, Recalled.NONE);
    }

    /// A newcomer's wish, by this of its joins.
    Answer join(int node, long join) {
        var contact = new Contact(id(node), List.of(), Map.of());
        var wish =
                new Request.Attach(
                        Protocol.VERSION,
                        contact,
                        HERE,
                        Tag.NONE,
                        0,
                        -1,
                        Membership.ORDERED,
                        Past.NONE,
                        new Request.Arrival(join, "", ""));
        return pools.apply(new Command.Attach(pool, ++session, wish, Recalled.NONE, now));
    }

    Answer back(int node) {
        return attach(node, 0, -1, new Past(EPOCH, 0, "", Optional.empty(), false), Recalled.NONE);
    }

    Answer backFromBefore(int node, int rank, String closed, Member... recalled) {
        return attach(
                node,
                0,
                rank,
                new Past(BEFORE, 9, closed, Optional.empty(), true),
                new Recalled(List.of(recalled), List.of()));
    }

    Answer attach(int node, int size, int rank, Past past, Recalled recalled) {
        var contact = new Contact(id(node), List.of(), Map.of());
        var wish =
                new Request.Attach(
                        Protocol.VERSION, contact, HERE, size, rank, Membership.ORDERED, past);
        return pools.apply(new Command.Attach(pool, ++session, wish, recalled, now));
    }

    void leave(int node) {
        pools.apply(new Command.Leave(pool, id(node)));
    }

    void lost(int node, String why) {
        pools.apply(new Command.Lost(pool, id(node), sessionOf(node), why, now));
    }

    void heard(int node) {
        pools.apply(new Command.Heard(pool, id(node), sessionOf(node)));
    }

    void proved(int node, String proof) {
        proved(node, sessionOf(node), proof);
    }

    void proved(int node, long inSession, String proof) {
        pools.apply(new Command.Proved(pool, id(node), inSession, proof));
    }

    void pass(long seconds) {
        now += seconds * 1_000_000_000L;
        pools.apply(new Command.Expire(now));
    }

    long sessionOf(int node) {
        var known = pools.pool(pool);
        var seat = known == null ? null : known.seat(id(node));
        return seat == null ? -1 : seat.session;
    }

    Pool pool() {
        return Objects.requireNonNull(pools.pool(pool), "the pool is forgotten");
    }

    /// A new operation.
    Answer operate(int node, Operation operation) {
        return operate(node, ++call, operation);
    }

    /// The operation with this number.
    Answer operate(int node, long number, Operation operation) {
        return pools.apply(new Command.Operate(pool, id(node), number, List.of(), operation));
    }

    /// The number of the last new operation.
    long call() {
        return call;
    }

    /// As after a restart from an image.
    void restart() {
        pools = Image.read(Image.of(pools), LIMITS);
        pools.apply(new Command.Restart(now));
    }

    List<Change> changes() {
        return pool().log.after(0, Integer.MAX_VALUE).stream()
                .map(ChangeLog.Entry::change)
                .toList();
    }

    List<Integer> ranks() {
        var ranks = new ArrayList<Integer>();
        pool().seats().forEach(seat -> ranks.add(seat.member.rank()));
        return ranks;
    }
}
