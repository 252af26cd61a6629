package org.ibidem.registry;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Malformed;
import org.ibidem.registry.Attachment.Means;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.Request.Past;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Hubward;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A node's tie to its hub: attaches, follows the pool, attaches again when the connection is lost.
/// One task reads; all others wait on one condition for what it finds.
final class Uplink {
    private static final Logger LOG = System.getLogger(Uplink.class.getName());
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration ATTACH_LIMIT = Duration.ofSeconds(10);
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(2);

    private final Join join;
    private final Location location;
    private final Contact self;
    private final Means means;
    private final Announcer announcer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Roll roll = new Roll();
    private final Questions questions = new Questions();
    private volatile @Nullable HubAddress hub;
    private @Nullable ControlLink link;
    private volatile @Nullable String gone;
    private volatile String lost = "";
    private volatile boolean leaving;

    Uplink(Join join, Location location, Contact self, Means means) {
        this.join = join;
        this.location = location;
        this.self = self;
        this.means = means;
        this.announcer = new Announcer(means.tasks());
    }

    /// Joins through the first hub that answers, and waits until the view is complete.
    void join() {
        long deadline = means.tasks().nanoTime() + join.limit().toNanos();
        var attachment = firstThatAnswers(deadline);
        adopt(attachment);
        means.tasks().start("hub", () -> follow(attachment));
        if (!await(() -> roll.complete() || gone != null, left(deadline))) {
            throw new HubUnreachable(
                    "hub "
                            + hub
                            + " took the node in, but did not tell who is in pool '"
                            + join.pool()
                            + "': "
                            + (lost.isEmpty() ? "no answer in time" : lost));
        }
        requireMember();
    }

    int rank() {
        return locked(() -> roll.welcome().rank());
    }

    int size() {
        return locked(() -> roll.welcome().size());
    }

    /// The hub that this node is attached to now, or null.
    Hubward.@Nullable At hub() {
        var place = hub;
        var at = locked(() -> link);
        return place == null || at == null ? null : new Hubward.At(place.place(), at.peer());
    }

    /// The address this node's connection comes from, as its hub sees it.
    String observed() {
        return locked(() -> roll.welcome().observed());
    }

    <T> T look(Function<View, T> at) {
        return locked(() -> at.apply(roll.view()));
    }

    List<Member> awaitMembers(int count, Duration limit) {
        if (!await(() -> roll.view().size() >= count || gone != null, limit.toNanos())) {
            throw new TooFewMembers(
                    "pool '%s' has %d members after %s ms, not %d%s"
                            .formatted(
                                    join.pool(),
                                    look(View::size),
                                    limit.toMillis(),
                                    count,
                                    lost.isEmpty()
                                            ? "; start the missing ones"
                                            : "; the hub is lost: " + lost));
        }
        requireMember();
        return look(View::members);
    }

    void events(Consumer<PoolEvent> consumer) {
        locked(() -> {
            var first = new ArrayList<PoolEvent>();
            roll.view().members().forEach(member -> first.add(new PoolEvent.Joined(member)));
            if (link == null) {
                first.add(new PoolEvent.HubLost(lost));
            }
            announcer.add(consumer, first);
            return true;
        });
    }

    /// Asks the hub, within a time limit that a lost hub may use to come back.
    Optional<Contact> contact(NodeId id, Duration limit) {
        var known = id.equals(self.id()) ? self : questions.known(id);
        if (known != null) {
            return Optional.of(known);
        }
        long deadline = means.tasks().nanoTime() + limit.toNanos();
        while (await(() -> link != null || gone != null, left(deadline))) {
            requireMember();
            var answer = ask(id, deadline);
            if (answer != null) {
                return answer.contact();
            }
        }
        throw new HubUnreachable(
                "hub "
                        + hub
                        + " did not say within "
                        + limit.toMillis()
                        + " ms how to reach node "
                        + id.brief()
                        + (lost.isEmpty() ? "" : ": it is lost: " + lost));
    }

    /// Tells the hub that a member seems gone; it looks for itself.
    void report(NodeId id, String why) {
        var at = locked(() -> link);
        if (at != null) {
            at.send(RequestCoding.encode(new Request.Report(id, Protocol.clip(why))));
        }
    }

    /// Leaves; waits for the hub to have heard it, two seconds at most.
    void leave() {
        var at =
                locked(() -> {
                    leaving = true;
                    changed.signalAll();
                    return link;
                });
        if (at != null && gone == null) {
            at.send(RequestCoding.encode(new Request.Leave()));
            await(() -> link != at, LEAVE_LIMIT.toNanos());
            at.close("it left");
        }
    }

    private Attachment firstThatAnswers(long deadline) {
        var reasons = new ArrayList<String>();
        var wish = wish(Past.NONE, join.rank(), join.size());
        int tries = join.hubs().size();
        for (var text : join.hubs()) {
            var address = HubAddress.parse(text);
            hub = address;
            try {
                var share = Duration.ofNanos(Math.max(1, left(deadline) / tries--));
                return Attachment.make(address, join.pool(), wish, List.of(), means, share);
            } catch (IbidemException e) {
                if (refusal(e)) {
                    throw e;
                }
                reasons.add(String.valueOf(e.getMessage()));
            }
        }
        throw new HubUnreachable(
                "no hub could be reached: "
                        + String.join(" | ", reasons)
                        + "; start one with 'ibidem hub', or name another address");
    }

    private Request.Attach wish(Past past, int rank, int size) {
        return new Request.Attach(Protocol.VERSION, self, location, size, rank, past);
    }

    /// The reading task.
    private void follow(Attachment first) {
        try {
            for (var next = first; next != null; next = attachAgain()) {
                next.link()
                        .onSilence(since -> means.tasks().start("silent hub", () -> silent(since)));
                read(next.link());
                lose(next.link());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the node was closed
        }
    }

    // With a goodbye: an end of stream alone would be a proof of death to the hub.
    private void silent(Duration since) {
        var at = locked(() -> link);
        if (at != null) {
            at.close("the hub was silent for " + since.toSeconds() + " s");
        }
    }

    private void read(ControlLink at) throws InterruptedException {
        try {
            for (var message = at.receive(); message != null; message = at.receive()) {
                var reply = ReplyCoding.decode(message);
                announcer.awaitRoom();
                take(reply);
            }
        } catch (Malformed e) {
            at.close("it sent garbage: " + e.getMessage());
        }
    }

    private void take(Reply reply) {
        lock.lock();
        try {
            switch (reply) {
                case Reply.Snapshot part -> tell(roll.take(part));
                case Reply.Events events -> tell(roll.take(events));
                case Reply.Found found -> questions.answered(found);
                case Reply.Bye() -> link = null;
                case Reply.Refused(var code, var text) ->
                        throw new Malformed("refused late: " + code + " " + text);
                case Reply.Welcome _, Reply.Forgotten _ ->
                        throw new Malformed("not expected now: " + reply);
            }
            lookWhetherBack();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void tell(List<Change> news) {
        for (var change : news) {
            switch (change) {
                case PoolEvent.Left(var member) -> departed(member, "it left");
                case PoolEvent.Died(var member, var why) -> departed(member, why);
                case PoolEvent.Restored(var member) -> questions.forget(member.id());
                default -> {
                    // says nothing about who can be reached where
                }
            }
        }
        announcer.announce(news);
    }

    private void departed(Member member, String why) {
        questions.forget(member.id());
        if (member.id().equals(self.id()) && !leaving && gone == null) {
            gone =
                    "this node is no member of pool '"
                            + join.pool()
                            + "' any more: "
                            + why
                            + "; it may join again under a new identity";
        }
    }

    private void lookWhetherBack() {
        boolean first = !roll.complete();
        if (roll.caughtUp()) {
            lost = "";
            if (!first) {
                announcer.announce(List.of(new PoolEvent.HubBack()));
            }
        }
    }

    private void adopt(Attachment attachment) {
        locked(() -> {
            roll.begin(attachment.welcome());
            link = attachment.link();
            lookWhetherBack();
            changed.signalAll();
            return true;
        });
    }

    private void lose(ControlLink at) {
        locked(() -> {
            link = null;
            lost = "its connection ended: " + at.ending();
            if (!leaving) {
                LOG.log(
                        Level.WARNING,
                        "node {0} lost hub {1}: {2}",
                        self.id().brief(),
                        hub,
                        at.ending());
                announcer.announce(List.of(new PoolEvent.HubLost(lost)));
            }
            changed.signalAll();
            return true;
        });
    }

    /// Tries until the hub is back.
    ///
    /// @return null when the node is no member any more
    private @Nullable Attachment attachAgain() throws InterruptedException {
        var pause = FIRST_PAUSE;
        while (!pause(pause)) {
            try {
                var again = attachOnce();
                adopt(again);
                return again;
            } catch (IbidemException e) {
                if (refusal(e)) {
                    depart(String.valueOf(e.getMessage()));
                    return null;
                }
                lost = String.valueOf(e.getMessage());
            }
            pause =
                    pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                            ? pause.multipliedBy(2)
                            : LONGEST_PAUSE;
        }
        return null;
    }

    private Attachment attachOnce() {
        var was = locked(roll::welcome);
        var past = locked(roll::past);
        var again =
                Attachment.make(
                        Objects.requireNonNull(hub),
                        join.pool(),
                        wish(past, was.rank(), was.size()),
                        look(View::members),
                        means,
                        ATTACH_LIMIT);
        if (again.welcome().rank() != was.rank()) {
            again.link().close("it is not the member that the hub takes it for");
            throw new Departed("the hub gave rank " + was.rank() + " to another node");
        }
        return again;
    }

    private void depart(String why) {
        locked(() -> {
            gone = why;
            var me = roll.view().member(self.id());
            if (me != null) {
                tell(List.of(new PoolEvent.Died(me, why)));
                roll.view().apply(new PoolEvent.Died(me, why));
            }
            changed.signalAll();
            return true;
        });
    }

    /// Waits a while, a little more or less, so that not all nodes of a pool come at once.
    ///
    /// @return whether to give up
    private boolean pause(Duration pause) throws InterruptedException {
        long jittered =
                (long) (pause.toNanos() * (0.75 + ThreadLocalRandom.current().nextDouble() / 2));
        return awaitInterruptibly(() -> leaving || gone != null, jittered);
    }

    /// Asks once.
    ///
    /// @return null when the link was lost before the answer, or there were too many questions: ask
    ///   again
    private Reply.@Nullable Found ask(NodeId id, long deadline) {
        var at = locked(() -> link);
        int call = at == null ? 0 : locked(questions::ask);
        if (at == null || call == 0) {
            await(() -> link != at, Math.min(left(deadline), FIRST_PAUSE.toNanos()));
            return null;
        }
        try {
            at.send(RequestCoding.encode(new Request.Lookup(call, id)));
            await(() -> questions.answer(call) != null || link != at, left(deadline));
            return locked(() -> learn(id, questions.answer(call)));
        } finally {
            locked(() -> questions.close(call));
        }
    }

    private Reply.@Nullable Found learn(NodeId id, Reply.@Nullable Found found) {
        if (found != null && roll.view().member(id) != null) {
            found.contact().ifPresent(questions::learn);
        }
        return found;
    }

    private static boolean refusal(IbidemException e) {
        return e instanceof Departed
                || e instanceof PoolFull
                || e instanceof PoolClosed
                || e instanceof RankTaken
                || e instanceof SizeDiffers
                || e instanceof IdInUse;
    }

    private void requireMember() {
        var why = gone;
        if (why != null) {
            throw new Departed(why);
        }
    }

    private long left(long deadline) {
        return Math.max(0, deadline - means.tasks().nanoTime());
    }

    private boolean await(BooleanSupplier condition, long nanos) {
        try {
            return awaitInterruptibly(condition, nanos);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private boolean awaitInterruptibly(BooleanSupplier condition, long nanos)
            throws InterruptedException {
        long deadline = means.tasks().nanoTime() + nanos;
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                if (left(deadline) == 0) {
                    return false;
                }
                changed.awaitNanos(left(deadline));
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private static IbidemException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IbidemException("the thread was interrupted while it waited for the hub", e);
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
