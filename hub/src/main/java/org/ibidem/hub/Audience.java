package org.ibidem.hub;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.ibidem.hub.pools.ChangeLog;
import org.ibidem.hub.pools.Pools;
import org.ibidem.registry.PoolEvent;
import org.ibidem.task.Tasks;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// The connected members of one pool, its visitors with them, and how they are told what happens in
/// it: by at most one task, which goes round while there is news. The more happens at once, the
/// more fits into a message.
///
/// Those who do not follow every change are told at once of what is urgent, and else after a pause
/// that grows with their number, so that a pool that fills costs each of them few messages. It
/// never waits for a member: one that takes too little is left out for a while, and gets what it
/// missed, or the whole pool, later.
///
/// Everything here happens under the register's guard.
///
/// @param <L> who are told
final class Audience<L extends Listener> {
    /// About four times what it costs to tell one.
    private static final Duration PAUSE_PER_MEMBER = Duration.ofNanos(50_000);

    private static final Duration LATER = Duration.ofMillis(20);

    private final String name;
    private final Pools pools;
    private final ReentrantLock guard;
    private final Tasks tasks;
    private final Map<NodeId, L> sessions = new HashMap<>();
    private boolean telling;
    private boolean timed;
    private long patientTold;
    private long scanned;
    private long urgent;

    Audience(String name, Pools pools, ReentrantLock guard, Tasks tasks) {
        this.name = name;
        this.pools = pools;
        this.guard = guard;
        this.tasks = tasks;
        this.patientTold = tasks.nanoTime();
    }

    /// How many of them only look in.
    long visitors() {
        return sessions.values().stream().filter(Listener::visits).count();
    }

    boolean isEmpty() {
        return sessions.isEmpty();
    }

    Collection<L> sessions() {
        return List.copyOf(sessions.values());
    }

    @Nullable L session(NodeId id) {
        return sessions.get(id);
    }

    /// Adds a session.
    ///
    /// @return the one before it of the same member, or null
    @Nullable L add(L session) {
        return sessions.put(session.id(), session);
    }

    boolean remove(L session) {
        return sessions.remove(session.id(), session);
    }

    /// Takes out those for whom this holds.
    List<L> removeIf(Predicate<L> gone) {
        var removed = new ArrayList<L>();
        sessions.values().removeIf(session -> gone.test(session) && removed.add(session));
        return removed;
    }

    /// There may be something to tell.
    void tell() {
        if (!telling && !sessions.isEmpty()) {
            telling = true;
            tasks.start("tell pool " + name, this::work);
        }
    }

    private void work() {
        boolean more = true;
        while (more) {
            guard.lock();
            try {
                more = round();
            } finally {
                guard.unlock(); // others get it between two rounds
            }
        }
    }

    /// Tells everybody one message at most.
    ///
    /// @return whether to go on
    private boolean round() {
        var pool = pools.pool(name);
        if (pool == null) {
            telling = false;
            return false;
        }
        scan(pool.log());
        var batches = new Batches(pool);
        long wait = Math.max(0, patientTold + pause() - tasks.nanoTime());
        var round = new Round(pool.log().last(), wait == 0);
        sessions.values().forEach(session -> tell(session, batches, round));
        if (round.due) {
            patientTold = tasks.nanoTime();
        }
        telling = round.more;
        if (!telling && (round.lagging || round.waiting)) {
            comeBack(round.lagging ? LATER : Duration.ofNanos(Math.max(wait, 1)));
        }
        return telling;
    }

    /// What one round has found so far.
    private static final class Round {
        private final long last;
        private final boolean due;
        private boolean more;
        private boolean lagging;
        private boolean waiting;

        Round(long last, boolean due) {
            this.last = last;
            this.due = due;
        }
    }

    private void tell(L session, Batches batches, Round round) {
        if (session.seen() == round.last) {
            return;
        }
        if (session.lags()) {
            round.lagging = true;
        } else if (session.patient() && session.seen() >= urgent && !round.due) {
            round.waiting = true;
        } else {
            session.tell(batches.next(session));
            round.more |= session.seen() < round.last;
        }
    }

    /// Looks for what may not wait among the changes since the last round.
    private void scan(ChangeLog log) {
        for (long number = Math.max(scanned + 1, log.first()); number <= log.last(); number++) {
            var entry = log.at(number);
            var to = entry.to();
            if (to != null) {
                for (var id : to) {
                    var session = sessions.get(id);
                    if (session != null) {
                        session.hurry(number);
                    }
                }
            } else if (isUrgent(entry.change())) {
                urgent = number;
            }
        }
        scanned = log.last();
    }

    private static boolean isUrgent(PoolEvent.Change change) {
        return switch (change) {
            case PoolEvent.Joined _,
                    PoolEvent.Left _,
                    PoolEvent.Suspected _,
                    PoolEvent.Restored _ ->
                    false;
            default -> true;
        };
    }

    private long pause() {
        return PAUSE_PER_MEMBER.toNanos() * sessions.size();
    }

    private void comeBack(Duration delay) {
        if (!timed) {
            timed = true;
            tasks.after(
                    delay,
                    "tell pool " + name + " later",
                    () -> {
                        guard.lock();
                        try {
                            timed = false;
                            tell();
                        } finally {
                            guard.unlock();
                        }
                    });
        }
    }
}
