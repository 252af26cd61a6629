package org.ibidem.hub;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import org.ibidem.trust.InvitationMessage;
import org.jspecify.annotations.Nullable;

/// The numbers by which those who invite are found. Each pool has so many at most that together
/// they are no more than there are numbers: so invitations into one pool keep out none into
/// another. Safe for several threads.
///
/// @param <T> who invites
final class Slots<T> {
    /// Of one pool.
    static final int MOST = 1024;

    private final int most;
    private final Map<Integer, Taken<T>> taken = new HashMap<>();

    private record Taken<T>(String pool, T who) {}

    /// None is taken.
    ///
    /// @param pools into which somebody may invite
    Slots(int pools) {
        this.most = Math.min(MOST, InvitationMessage.LAST_SLOT / Math.max(1, pools));
    }

    /// How many one pool has.
    int most() {
        return most;
    }

    /// Takes a free one, by chance.
    ///
    /// @param who makes who invites of the number
    /// @return null when the pool has all that it may have
    synchronized @Nullable T take(String pool, IntFunction<T> who) {
        if (taken.values().stream().filter(each -> each.pool.equals(pool)).count() >= most) {
            return null;
        }
        int slot = ThreadLocalRandom.current().nextInt(InvitationMessage.LAST_SLOT) + 1;
        while (taken.containsKey(slot)) {
            slot = slot % InvitationMessage.LAST_SLOT + 1;
        }
        var inviter = who.apply(slot);
        taken.put(slot, new Taken<>(pool, inviter));
        return inviter;
    }

    synchronized void free(int slot) {
        taken.remove(slot);
    }

    /// Who invites there, or null.
    synchronized @Nullable T at(int slot) {
        var there = taken.get(slot);
        return there == null ? null : there.who;
    }

    synchronized List<T> all() {
        return taken.values().stream().map(Taken::who).toList();
    }
}
