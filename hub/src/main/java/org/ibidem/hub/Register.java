package org.ibidem.hub;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.ibidem.link.Tasks;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.Request;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Puts the sessions and the state machine together: gives it one command at a time, and tells all
/// members of a pool what came of it.
///
/// Members are told by at most one task per pool, which goes on while there is news: the more
/// happens at once, the more fits into each message. It never waits for a member; one that takes
/// too little is cut off by its link's bounds, is suspected, and catches up when it attaches again.
final class Register {
    private final Pools pools;
    private final Tasks tasks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Map<NodeId, Session>> sessions = new HashMap<>();
    private final Set<String> telling = new HashSet<>();
    private final AtomicLong lastSession = new AtomicLong();

    Register(Pools pools, Tasks tasks) {
        this.pools = pools;
        this.tasks = tasks;
    }

    long nextSession() {
        return lastSession.incrementAndGet();
    }

    Answer attach(Session session, Request.Attach wish, List<Member> recalled) {
        return locked(() -> {
            var answer =
                    pools.apply(
                            new Command.Attach(
                                    session.pool(),
                                    session.number(),
                                    wish,
                                    recalled,
                                    tasks.nanoTime()));
            if (answer instanceof Answer.Accepted accepted) {
                boolean sameRun = wish.past().epoch() == pools.epoch();
                long seen = sameRun ? wish.past().last() : -1;
                session.welcome(accepted, pools.epoch(), accepted.last(), seen);
                var old = of(session.pool()).put(session.id(), session);
                if (old != null) {
                    tasks.start("end a session", () -> old.end("replaced by a newer connection"));
                }
                tell(session.pool());
            }
            return answer;
        });
    }

    void leave(Session session) {
        locked(() -> {
            // Let go of first, so that it can still be answered.
            if (of(session.pool()).remove(session.id(), session)) {
                pools.apply(new Command.Leave(session.pool(), session.id()));
            }
            follow(session.pool());
            return true;
        });
    }

    void proved(Session session, String proof) {
        obey(
                session.pool(),
                new Command.Proved(session.pool(), session.id(), session.number(), proof));
    }

    void lost(Session session, String why) {
        obey(
                session.pool(),
                new Command.Lost(
                        session.pool(), session.id(), session.number(), why, tasks.nanoTime()));
    }

    void heard(Session session) {
        obey(session.pool(), new Command.Heard(session.pool(), session.id(), session.number()));
    }

    /// A member says that another one seems gone. One that has contact is not: nothing is done. For
    /// a suspected one a refused connection is the proof that was missing.
    void reported(String pool, NodeId id, String why, Prober prober) {
        long suspected =
                locked(() -> {
                    var seat = seat(pool, id);
                    return seat != null && seat.suspected ? seat.session : -1L;
                });
        if (suspected >= 0 && contact(pool, id).filter(prober::refused).isPresent()) {
            obey(
                    pool,
                    new Command.Proved(
                            pool,
                            id,
                            suspected,
                            "a member saw: " + why + "; and nobody listens at its addresses"));
        }
    }

    Optional<Contact> contact(String pool, NodeId id) {
        return locked(() -> Optional.ofNullable(seat(pool, id)).map(seat -> seat.contact));
    }

    /// Lets time go by for the state machine.
    void sweep() {
        locked(() -> {
            pools.apply(new Command.Expire(tasks.nanoTime()));
            List.copyOf(sessions.keySet()).forEach(this::follow);
            return true;
        });
    }

    /// The sessions of all members, for the end of the hub.
    List<Session> all() {
        return locked(() -> {
            var all = new ArrayList<Session>();
            sessions.values().forEach(ofPool -> all.addAll(ofPool.values()));
            return all;
        });
    }

    private void obey(String pool, Command command) {
        locked(() -> {
            pools.apply(command);
            follow(pool);
            return true;
        });
    }

    /// After a command: lets go of those who are no members any more, and tells the others.
    private void follow(String name) {
        var pool = pools.pool(name);
        var here = of(name);
        here.values()
                .removeIf(session -> {
                    boolean gone = pool == null || pool.seat(session.id()) == null;
                    if (gone) {
                        tasks.start("end a session", () -> session.end("it is no member any more"));
                    }
                    return gone;
                });
        if (here.isEmpty()) {
            sessions.remove(name);
        }
        tell(name);
    }

    private void tell(String name) {
        if (sessions.containsKey(name) && telling.add(name)) {
            tasks.start(
                    "tell pool " + name,
                    () -> {
                        while (locked(() -> tellOnce(name))) {
                            // others get the lock between two rounds
                        }
                    });
        }
    }

    private boolean tellOnce(String name) {
        var pool = pools.pool(name);
        boolean more = false;
        if (pool != null) {
            var batches = new Batches(pool);
            for (var session : of(name).values()) {
                more |= session.tell(pool, batches);
            }
        }
        if (!more) {
            telling.remove(name);
        }
        return more;
    }

    private Map<NodeId, Session> of(String pool) {
        return sessions.computeIfAbsent(pool, _ -> new HashMap<>());
    }

    private @Nullable Seat seat(String name, NodeId id) {
        var pool = pools.pool(name);
        return pool == null ? null : pool.seat(id);
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
