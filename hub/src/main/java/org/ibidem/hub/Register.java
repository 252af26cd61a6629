package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ibidem.hub.pools.Answer;
import org.ibidem.hub.pools.Command;
import org.ibidem.hub.pools.Pool;
import org.ibidem.hub.pools.Pools;
import org.ibidem.hub.pools.Seat;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.Request;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Puts the sessions and the state machine together: what sessions say becomes commands, and what
/// comes of those is told to all who want to know.
final class Register {
    /// Visitors of one pool at a time; more are told so.
    static final int MOST_VISITORS = 64;

    private static final Logger LOG = System.getLogger(Register.class.getName());
    private static final Answer NOTHING = new Answer.Done();
    private static final Outcome ONLY_MEMBERS =
            new Outcome.Refused("a visitor is no member of the pool, and only members may do this");

    private final Pools pools;
    private final Tasks tasks;
    private final ReentrantLock guard = new ReentrantLock();
    private final Commands commands;
    private final Attention attention;
    private final AtomicBoolean expiring = new AtomicBoolean();
    private final Map<String, Audience<Session>> audiences = new HashMap<>();
    private final AtomicLong lastSession = new AtomicLong();

    /// The members at whose addresses nobody else can be, seen from here.
    private final Set<Seat> unhidden = Collections.newSetFromMap(new WeakHashMap<>());

    /// A register of this state.
    ///
    /// @param attention to be looked after by [#sweep]
    /// @param failed told when nothing can be remembered any more
    Register(State state, Tasks tasks, Attention attention, Consumer<IOException> failed) {
        this.pools = state.pools();
        this.tasks = tasks;
        this.attention = attention;
        this.commands = new Commands(state, guard, tasks, this::follow, failed, attention::now);
    }

    long nextSession() {
        return lastSession.incrementAndGet();
    }

    /// Attaches the session, and welcomes it if that is the answer.
    Answer attach(Session session, Request.Attach wish, Command.Recalled recalled) {
        var command =
                new Command.Attach(
                        session.pool(), session.number(), wish, recalled, attention.now());
        return await(
                command,
                answer -> {
                    if (answer instanceof Answer.Accepted accepted) {
                        boolean same = wish.past().epoch() == pools.epoch() && !accepted.beyond();
                        if (accepted.beyond()) {
                            complain(session, wish.past().last());
                        }
                        session.welcome(
                                accepted,
                                pools.epoch(),
                                same ? wish.past().last() : Request.Past.NOTHING);
                        replaced(audience(session.pool()).add(session));
                        note(seat(session.pool(), session.id()), session.isUnhidden());
                    }
                });
    }

    private static void complain(Session session, long knows) {
        LOG.log(
                Level.ERROR,
                "node {0} knows pool {1} up to change {2}, which the state of this hub does not"
                        + " hold: the end of its journal was lost after members had been told."
                        + " Elections, and whether the pool is closed, are taken over from"
                        + " members; numbers may be given twice, tokens be lost or doubled. Look"
                        + " after the disk",
                session.id().brief(),
                session.pool(),
                knows);
    }

    /// Lets a session look into its pool, and welcomes it if that may be. Nothing of it is state:
    /// who was a visitor before the hub was started again visits again.
    ///
    /// @return why not, or null when it was welcomed
    Answer.@Nullable Refused visit(Session session, Contact contact) {
        return locked(() -> {
            var pool = pools.pool(session.pool());
            var by = pool == null ? null : pool.terminated();
            if (pool == null || by != null) {
                return noPool(session.pool(), by);
            }
            var audience = audience(session.pool());
            if (pool.seat(session.id()) != null) {
                return new Answer.Refused(
                        JoinRefusal.ID_IN_USE,
                        "a member of pool '%s' has the id %s: visit with another identity"
                                .formatted(session.pool(), session.id()));
            }
            if (audience.visitors() >= MOST_VISITORS && !visits(audience.session(session.id()))) {
                return new Answer.Refused(
                        JoinRefusal.HUB_FULL,
                        "pool '" + session.pool() + "' has " + MOST_VISITORS + " visitors already");
            }
            session.welcome(contact, pools.epoch(), pool);
            replaced(audience.add(session));
            audience.tell();
            return null;
        });
    }

    private static Answer.Refused noPool(String name, @Nullable Member by) {
        return new Answer.Refused(
                JoinRefusal.NO_POOL,
                by == null
                        ? "there is no pool '" + name + "' at this hub: start its members first"
                        : "pool '" + name + "' was terminated by " + by);
    }

    private static boolean visits(@Nullable Session session) {
        return session != null && session.visits();
    }

    /// A visitor is gone; nobody is told.
    void gone(Session visitor) {
        locked(() -> {
            var audience = audiences.get(visitor.pool());
            if (audience != null && audience.remove(visitor) && audience.isEmpty()) {
                audiences.remove(visitor.pool());
            }
            return NOTHING;
        });
    }

    private void note(@Nullable Seat seat, boolean isUnhidden) {
        if (seat != null && isUnhidden) {
            unhidden.add(seat);
        } else if (seat != null) {
            unhidden.remove(seat);
        }
    }

    private void replaced(@Nullable Session old) {
        if (old != null) {
            tasks.start("end a session", () -> old.end("replaced by a newer connection"));
        }
    }

    void leave(Session session) {
        // Let go of first, so that it can still be answered.
        boolean here = locked(() -> audience(session.pool()).remove(session));
        if (here) {
            await(new Command.Leave(session.pool(), session.id()), _ -> {});
        }
    }

    /// Does what a member wants done, and tells it what came of it before it is told of anything
    /// that happened later.
    void operate(Session session, Request.Operate wish) {
        if (session.visits()) {
            session.settled(wish.call(), ONLY_MEMBERS);
            return;
        }
        await(
                new Command.Operate(
                        session.pool(), session.id(), wish.call(), wish.open(), wish.operation()),
                answer -> {
                    if (answer instanceof Answer.Settled(var outcome)) {
                        session.settled(wish.call(), outcome);
                    }
                });
    }

    void proved(Session session, String proof) {
        submit(new Command.Proved(session.pool(), session.id(), session.number(), proof));
    }

    void lost(Session session, String why) {
        submit(
                new Command.Lost(
                        session.pool(), session.id(), session.number(), why, attention.now()));
    }

    /// Is the node of a session that ended still a member, and not back on another?
    boolean misses(Session session) {
        return locked(() -> {
            var seat = seat(session.pool(), session.id());
            return seat != null && seat.session() == session.number();
        });
    }

    void heard(Session session) {
        submit(new Command.Heard(session.pool(), session.id(), session.number()));
    }

    /// A member says that another one seems gone. One with contact has to answer; for one without,
    /// a refused connection is the proof that was missing, unless somebody else may have refused.
    void reported(String pool, NodeId id, String why, Prober prober) {
        var session = locked(() -> session(pool, id));
        if (session != null) {
            session.check();
        }
        long lost =
                locked(() -> {
                    var seat = seat(pool, id);
                    return seat != null && seat.lost() && unhidden.contains(seat)
                            ? seat.session()
                            : -1L;
                });
        var contact = lost < 0 ? Optional.<Contact>empty() : contact(pool, id);
        if (contact.filter(it -> prober.refused(pool, it)).isPresent()) {
            submit(
                    new Command.Proved(
                            pool,
                            id,
                            lost,
                            "a member saw: " + why + "; and nobody listens at its addresses"));
        }
    }

    /// How to reach a member or a visitor.
    Optional<Contact> contact(String pool, NodeId id) {
        return locked(() ->
                Optional.ofNullable(seat(pool, id))
                        .map(Seat::contact)
                        .or(() -> Optional.ofNullable(session(pool, id)).map(Session::visiting)));
    }

    /// As [#contact], for one that wants to hear when a member is gone.
    Reply.Found find(Session asker, int call, NodeId id) {
        return locked(() -> {
            var seat = seat(asker.pool(), id);
            var contact = seat == null ? null : seat.contact();
            if (seat == null || contact == null) {
                var visitor = contact(asker.pool(), id);
                var pool = pools.pool(asker.pool());
                var died = visitor.isPresent() || pool == null ? null : pool.death(id);
                return new Reply.Found(
                        call,
                        visitor.map(where -> new Reply.Whereabouts(Optional.empty(), where)),
                        died == null ? "" : died);
            }
            asker.deals(id);
            var found = new Reply.Whereabouts(Optional.of(seat.member()), contact);
            return new Reply.Found(call, Optional.of(found), "");
        });
    }

    /// Lets time go by for the state machine.
    void sweep() {
        attention.look(commands.able(attention.interval()));
        long now = attention.now();
        if (locked(() -> pools.nextDeadline().filter(due -> due - now <= 0).isPresent())
                && expiring.compareAndSet(false, true)) {
            commands.submit(new Command.Expire(now), _ -> expiring.set(false));
        }
    }

    /// The sessions of all members, for the end of the hub.
    List<Session> all() {
        return locked(() -> {
            var all = new ArrayList<Session>();
            audiences.values().forEach(audience -> all.addAll(audience.sessions()));
            return all;
        });
    }

    /// From now on nothing is obeyed any more: that the hub ends says nothing about its members.
    void close() {
        commands.close();
    }

    private void submit(Command command) {
        commands.submit(command, _ -> {});
    }

    /// Waits until it was obeyed.
    ///
    /// @param then called with the answer, under the guard
    private Answer await(Command command, Consumer<Answer> then) {
        var answered = new CompletableFuture<Answer>();
        commands.submit(
                command,
                answer -> {
                    then.accept(answer);
                    answered.complete(answer);
                });
        try {
            return answered.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the hub ends
            return NOTHING;
        } catch (ExecutionException e) {
            throw new AssertionError("it is never completed so", e);
        }
    }

    /// After commands were obeyed, under the guard: lets go of those who are no members any more,
    /// gives outcomes to those who waited for them, and tells the others.
    private void follow(Collection<Command> obeyed) {
        for (var delivery : pools.takeDeliveries()) {
            var session = session(delivery.pool(), delivery.to());
            if (session != null) {
                session.settled(delivery.call(), delivery.outcome());
            }
        }
        var touched = new LinkedHashMap<String, Boolean>();
        obeyed.forEach(command -> touch(touched, command));
        touched.forEach(this::follow);
    }

    /// Which pools a command is about, and whether somebody may be no member any more by it.
    private void touch(Map<String, Boolean> touched, Command command) {
        switch (command) {
            case Command.Attach attach -> touched.putIfAbsent(attach.pool(), false);
            case Command.Lost lost -> touched.putIfAbsent(lost.pool(), false);
            case Command.Heard heard -> touched.putIfAbsent(heard.pool(), false);
            case Command.Leave leave -> touched.put(leave.pool(), true);
            case Command.Proved proved -> touched.put(proved.pool(), true);
            case Command.Operate operate ->
                    touched.merge(
                            operate.pool(),
                            operate.operation() instanceof Operation.AssumeDead,
                            Boolean::logicalOr);
            case Command.Expire _, Command.Restart _ ->
                    audiences.keySet().forEach(pool -> touched.put(pool, true));
        }
    }

    private void follow(String name, boolean gone) {
        var audience = audiences.get(name);
        if (audience == null) {
            return;
        }
        if (gone) {
            letGo(audience, pools.pool(name));
        }
        if (audience.isEmpty()) {
            audiences.remove(name);
        } else {
            audience.tell();
        }
    }

    private void letGo(Audience<Session> audience, @Nullable Pool pool) {
        for (var session : audience.removeIf(one -> isOver(one, pool))) {
            var why =
                    session.visits()
                            ? "the pool it visits no longer has members"
                            : "it is no longer a member";
            tasks.start("end a session", () -> session.end(why));
        }
    }

    private static boolean isOver(Session session, @Nullable Pool pool) {
        return pool == null || (!session.visits() && pool.seat(session.id()) == null);
    }

    private Audience<Session> audience(String pool) {
        return audiences.computeIfAbsent(pool, name -> new Audience<>(name, pools, guard, tasks));
    }

    /// The connection of another member of the same pool, if it has one.
    @Nullable Session session(Session asker, NodeId id) {
        return locked(() -> session(asker.pool(), id));
    }

    private @Nullable Session session(String pool, NodeId id) {
        var audience = audiences.get(pool);
        return audience == null ? null : audience.session(id);
    }

    private @Nullable Seat seat(String name, NodeId id) {
        var pool = pools.pool(name);
        return pool == null ? null : pool.seat(id);
    }

    private <T> T locked(Supplier<T> body) {
        guard.lock();
        try {
            return body.get();
        } finally {
            guard.unlock();
        }
    }
}
