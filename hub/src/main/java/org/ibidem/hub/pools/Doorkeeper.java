package org.ibidem.hub.pools;

import java.util.List;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Decides about one node that wants to attach. There are three kinds: a newcomer; a member of this
/// life of the hub's state that is back on another connection; a member from before the hub was
/// started anew, which brings what it remembers.
final class Doorkeeper {
    private final Pools pools;
    private final Command.Attach attach;
    private final Request.Attach wish;
    private final NodeId id;

    Doorkeeper(Pools pools, Command.Attach attach) {
        this.pools = pools;
        this.attach = attach;
        this.wish = attach.wish();
        this.id = wish.contact().id();
    }

    Answer decide() {
        var pool = pools.pool(attach.pool());
        long epoch = wish.past().epoch();
        if (epoch == 0) {
            return enter(pool);
        }
        return epoch == pools.epoch() ? comeBack(pool) : remember(pool);
    }

    /// A newcomer.
    private Answer enter(@Nullable Pool known) {
        var seat = known == null ? null : known.seat(id);
        if (known != null && seat != null && asksAgain(seat)) {
            return seat(known, seat);
        }
        var refused = known == null ? null : refusal(known);
        if (refused == null) {
            refused = noRoom(known);
        }
        if (refused != null) {
            return refused;
        }
        int size = known == null ? wish.size() : known.size;
        if (beyond(wish.rank(), size)) {
            return noSuchRank(size);
        }
        var pool = known == null ? pools.open(attach.pool(), size) : known;
        int rank = wish.rank() < 0 ? pool.lowestFreeRank() : wish.rank();
        return seat(pool, pools.join(pool, new Member(id, rank, wish.location(), wish.tag())));
    }

    // It did not hear that it was taken in; another process with its key has another number.
    private boolean asksAgain(Seat seat) {
        return seat.join != 0 && seat.join == wish.arrival().join();
    }

    /// A member of this life of the state.
    private Answer comeBack(@Nullable Pool pool) {
        var seat = pool == null ? null : pool.seat(id);
        if (pool == null || seat == null) {
            return departed(pool);
        }
        if (!isBeyond(pool, seat)) {
            return seat(pool, seat);
        }
        return wish.past().recalled() ? recalled(pool, seat) : forgotten(pool);
    }

    /// It was told nothing since the hub was started again, and knows more than was known then: the
    /// end of the state was lost.
    private boolean isBeyond(Pool pool, Seat seat) {
        return seat.session == 0
                && wish.past().epoch() == pools.epoch()
                && wish.past().last() > pool.restarted;
    }

    private static Answer forgotten(@Nullable Pool known) {
        var seats = known == null ? List.<Seat>of() : known.seats();
        return new Answer.Forgotten(
                Reply.Forgotten.sum(seats.stream().map(seat -> seat.member.id())));
    }

    /// A member from before the hub was started anew.
    private Answer remember(@Nullable Pool known) {
        if (known != null && known.death(id) != null) {
            return departed(known);
        }
        if (known != null && !recalls(known)) {
            var seat = known.seat(id);
            return seat == null ? enter(known) : seat(known, seat);
        }
        if (!wish.past().recalled()) {
            return forgotten(known);
        }
        return known == null ? reform() : rejoin(known);
    }

    /// The first to return.
    private Answer reform() {
        var refused = beyond(wish.rank(), wish.size()) ? noSuchRank(wish.size()) : noRoom(null);
        if (refused != null) {
            return refused;
        }
        var pool = pools.open(attach.pool(), wish.size());
        pool.recallUntil = attach.now() + pools.limits().suspicion();
        return recalled(pool, takeSeat(pool));
    }

    /// The others.
    private Answer rejoin(Pool pool) {
        var seat = pool.seat(id);
        if (seat != null) {
            return recalled(pool, seat);
        }
        var refused = beyond(wish.rank(), pool.size) ? noSuchRank(pool.size) : noRoom(pool);
        if (refused != null) {
            return refused;
        }
        if (pool.full() || pool.taken(wish.rank())) {
            return refuse(
                    JoinRefusal.DEPARTED,
                    "its place in pool '" + pool.name + "' was taken while the hub was away");
        }
        return recalled(pool, takeSeat(pool));
    }

    private Seat takeSeat(Pool pool) {
        int rank = wish.rank() < 0 ? pool.lowestFreeRank() : wish.rank();
        return pools.join(pool, new Member(id, rank, wish.location(), wish.tag()));
    }

    /// Takes over what a returning member knows, then welcomes it.
    private Answer recalled(Pool pool, Seat seat) {
        attach.recalled().members().forEach(member -> recall(pool, member));
        attach.recalled().elections().forEach(result -> recall(pool, result));
        if (!wish.past().closed().isEmpty()) {
            pool.close(wish.past().closed());
        }
        wish.past().terminated().ifPresent(pool::terminate);
        return seat(pool, seat);
    }

    private void recall(Pool pool, Member member) {
        boolean known = pool.seat(member.id()) != null || pool.death(member.id()) != null;
        boolean taken = pool.full() || pool.taken(member.rank());
        if (known || taken || beyond(member.rank(), pool.size) || noRoom(pool) != null) {
            return;
        }
        var until = pool.recallUntil;
        if (until != null) {
            pool.suspect(
                    pools.join(pool, member), "not heard of since the hub was started anew", until);
        }
    }

    private void recall(Pool pool, PoolEvent.Elected result) {
        if (!pool.races.full(result.election())) {
            var winner = pool.seat(result.winner().id());
            boolean present = winner != null && winner.member.equals(result.winner());
            pool.addAll(pool.races.recall(result, present));
        }
    }

    private boolean recalls(Pool pool) {
        var until = pool.recallUntil;
        return until != null && until - attach.now() > 0;
    }

    private Answer seat(Pool pool, Seat seat) {
        boolean beyond = isBeyond(pool, seat);
        if (beyond) {
            seat.since = pool.restarted; // it has had all signals until then
        }
        seat.session = attach.session();
        seat.contact = wish.contact();
        seat.join = wish.arrival().join();
        pool.restore(seat);
        return new Answer.Accepted(seat.member, pool.size, pool.log.last(), beyond);
    }

    /// Why this pool does not take a newcomer, or null when it does.
    private Answer.@Nullable Refused refusal(Pool pool) {
        if (pool.death(id) != null) {
            return departed(pool);
        }
        var same = pool.seat(id);
        if (same != null) {
            return inUse(pool, same);
        }
        if (wish.size() != 0 && wish.size() != pool.size) {
            return refuse(
                    JoinRefusal.SIZE_DIFFERS,
                    "pool '"
                            + pool.name
                            + "' was made for "
                            + sizeText(pool.size)
                            + ", not for "
                            + wish.size());
        }
        if (pool.full()) {
            return refuse(
                    JoinRefusal.POOL_FULL,
                    "pool '" + pool.name + "' has all its " + pool.size + " members");
        }
        if (!pool.closed().isEmpty()) {
            return refuse(
                    JoinRefusal.POOL_CLOSED,
                    "pool '" + pool.name + "' is closed: " + pool.closed());
        }
        if (wish.rank() >= 0 && pool.taken(wish.rank())) {
            return refuse(
                    JoinRefusal.RANK_TAKEN,
                    "rank " + wish.rank() + " of pool '" + pool.name + "' is another member's");
        }
        return null;
    }

    private Answer.Refused inUse(Pool pool, Seat other) {
        return refuse(
                JoinRefusal.ID_IN_USE,
                "the id %s is in use by a member of pool '%s', %s join with another identity"
                        .formatted(
                                id,
                                pool.name,
                                other.lost()
                                        ? "with which the hub has no contact now:"
                                        : "which is connected: end that process first, or"));
    }

    private Answer.@Nullable Refused noRoom(@Nullable Pool pool) {
        if (pool == null && !pools.roomForPool(attach.pool())) {
            return refuse(
                    JoinRefusal.HUB_FULL,
                    "this hub holds as many pools as it can: " + pools.limits().pools());
        }
        int size = pool == null ? 0 : pool.seats().size();
        if (size >= Protocol.MOST_MEMBERS || !pools.roomForMember(attach.pool(), size)) {
            return refuse(
                    JoinRefusal.HUB_FULL,
                    "this hub holds as many members as it can: " + pools.limits().members());
        }
        return null;
    }

    private Answer.Refused departed(@Nullable Pool pool) {
        var how = pool == null ? null : pool.death(id);
        return refuse(
                JoinRefusal.DEPARTED,
                "node "
                        + id.brief()
                        + " is no longer a member of pool '"
                        + attach.pool()
                        + "'"
                        + (how == null ? "" : ": " + how));
    }

    private static boolean beyond(int rank, int size) {
        return size > 0 && rank >= size;
    }

    private Answer.Refused noSuchRank(int size) {
        return refuse(
                JoinRefusal.RANK_TAKEN,
                "the ranks of pool '" + attach.pool() + "' are 0 to " + (size - 1));
    }

    private static String sizeText(int size) {
        return size == 0 ? "any number of members" : size + " members";
    }

    private static Answer.Refused refuse(JoinRefusal code, String text) {
        return new Answer.Refused(code, Protocol.clip(text));
    }
}
