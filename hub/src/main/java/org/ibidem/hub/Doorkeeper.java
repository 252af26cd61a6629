package org.ibidem.hub;

import org.ibidem.registry.Member;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Decides about one node that wants to attach. There are three kinds: a newcomer; a member of this
/// run of the hub that is back on another connection; a member from before the hub was started
/// anew, which brings what it remembers.
final class Doorkeeper {
    private static final Answer FORGOTTEN = new Answer.Forgotten();

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
        if (epoch == pools.epoch()) {
            return comeBack(pool);
        }
        if (pool == null && !wish.past().recalled()) {
            return FORGOTTEN;
        }
        return remember(pool);
    }

    /// A newcomer.
    private Answer enter(@Nullable Pool known) {
        var refused = known == null ? null : refusal(known);
        if (refused == null) {
            refused = noRoom(known);
        }
        if (refused != null) {
            return refused;
        }
        int size = known == null ? wish.size() : known.size;
        if (size > 0 && wish.rank() >= size) {
            return refuse(
                    JoinRefusal.RANK_TAKEN,
                    "the ranks of pool '" + attach.pool() + "' are 0 to " + (size - 1));
        }
        var pool = known == null ? pools.open(attach.pool(), size) : known;
        int rank = wish.rank() < 0 ? pool.lowestFreeRank() : wish.rank();
        return seat(pool, pools.join(pool, new Member(id, rank, wish.location())));
    }

    /// A member of this run of the hub.
    private Answer comeBack(@Nullable Pool pool) {
        var seat = pool == null ? null : pool.seat(id);
        if (pool == null || seat == null) {
            return departed(pool);
        }
        return seat(pool, seat);
    }

    /// A member from before the hub was started anew.
    private Answer remember(@Nullable Pool known) {
        var seat = known == null ? null : known.seat(id);
        if (known != null && known.death(id) != null) {
            return departed(known);
        }
        if (known != null && seat != null) {
            return seat(known, seat);
        }
        if (known != null && !recalls(known)) {
            return enter(known);
        }
        return reform(known);
    }

    private Answer reform(@Nullable Pool known) {
        var refused = noRoom(known);
        if (refused != null) {
            return refused;
        }
        if (known != null && (known.full() || known.taken(wish.rank()))) {
            return refuse(
                    JoinRefusal.DEPARTED,
                    "its place in pool '" + known.name + "' was taken while the hub was away");
        }
        var pool = known == null ? pools.open(attach.pool(), wish.size()) : known;
        if (known == null) {
            pool.recallUntil = attach.now() + pools.bounds().suspicion().toNanos();
        }
        int rank = wish.rank() < 0 ? pool.lowestFreeRank() : wish.rank();
        var answer = seat(pool, pools.join(pool, new Member(id, rank, wish.location())));
        attach.recalled().forEach(member -> recall(pool, member));
        if (!wish.past().closed().isEmpty()) {
            pool.close(wish.past().closed());
        }
        return answer;
    }

    private void recall(Pool pool, Member member) {
        boolean known = pool.seat(member.id()) != null || pool.death(member.id()) != null;
        if (known || pool.full() || pool.taken(member.rank()) || noRoom(pool) != null) {
            return;
        }
        var until = pool.recallUntil;
        if (until != null) {
            pool.suspect(
                    pools.join(pool, member), "not heard of since the hub was started anew", until);
        }
    }

    private boolean recalls(Pool pool) {
        var until = pool.recallUntil;
        return until != null && until - attach.now() > 0;
    }

    private Answer seat(Pool pool, Seat seat) {
        seat.session = attach.session();
        seat.contact = wish.contact();
        pool.restore(seat);
        return new Answer.Accepted(seat.member, pool.size, pool.log.last());
    }

    /// Why this pool does not take a newcomer, or null when it does.
    private Answer.@Nullable Refused refusal(Pool pool) {
        if (pool.death(id) != null) {
            return departed(pool);
        }
        if (pool.seat(id) != null) {
            return refuse(
                    JoinRefusal.ID_IN_USE, "a member of pool '" + pool.name + "' has the id " + id);
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
        if (!pool.closed().isEmpty()) {
            return refuse(
                    JoinRefusal.POOL_CLOSED,
                    "pool '" + pool.name + "' is closed: " + pool.closed());
        }
        if (pool.full()) {
            return refuse(
                    JoinRefusal.POOL_FULL,
                    "pool '" + pool.name + "' has all its " + pool.size + " members");
        }
        if (wish.rank() >= 0 && pool.taken(wish.rank())) {
            return refuse(
                    JoinRefusal.RANK_TAKEN,
                    "rank " + wish.rank() + " of pool '" + pool.name + "' is another member's");
        }
        return null;
    }

    private Answer.@Nullable Refused noRoom(@Nullable Pool pool) {
        if (pool == null && !pools.roomForPool()) {
            return refuse(
                    JoinRefusal.HUB_FULL,
                    "this hub holds as many pools as it can: " + pools.bounds().pools());
        }
        if (!pools.roomForMember()
                || (pool != null && pool.seats().size() >= Protocol.MOST_MEMBERS)) {
            return refuse(
                    JoinRefusal.HUB_FULL,
                    "this hub holds as many members as it can: " + pools.bounds().members());
        }
        return null;
    }

    private Answer.Refused departed(@Nullable Pool pool) {
        var how = pool == null ? null : pool.death(id);
        return refuse(
                JoinRefusal.DEPARTED,
                "node "
                        + id.brief()
                        + " is no member of pool '"
                        + attach.pool()
                        + "' any more"
                        + (how == null ? "" : ": " + how));
    }

    private static String sizeText(int size) {
        return size == 0 ? "any number of members" : size + " members";
    }

    private static Answer.Refused refuse(JoinRefusal code, String text) {
        return new Answer.Refused(code, Protocol.clip(text));
    }
}
