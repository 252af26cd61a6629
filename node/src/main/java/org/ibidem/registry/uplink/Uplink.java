package org.ibidem.registry.uplink;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.ibidem.IbidemException;
import org.ibidem.buffer.Malformed;
import org.ibidem.control.ControlLink;
import org.ibidem.registry.Departed;
import org.ibidem.registry.Events;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.JoinRefused;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.PoolEvent.Change;
import org.ibidem.registry.Subscription;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.ibidem.topology.Surroundings;
import org.jspecify.annotations.Nullable;

/// A node's tie to its hub: attaches, follows the pool, attaches again when the connection is lost.
/// One task reads; all others wait on one condition for what it finds.
public final class Uplink {
    private static final Logger LOG = System.getLogger(Uplink.class.getName());
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(2);

    private final UplinkContext context;
    private final Guard guard;
    private final Attacher attacher;
    private final Calls calls;
    private final Surveys surveys;
    private final Feed feed = new Feed();

    // What follows is read and written under the guard; what is volatile is also read without.
    private final Roll roll = new Roll();
    private final Results results = new Results();
    private volatile @Nullable ControlLink link;
    private volatile @Nullable String gone;
    private volatile String lost = "";
    private volatile boolean leaving;
    private volatile boolean over;

    /// A node that is not attached yet.
    public Uplink(UplinkContext context) {
        this.context = context;
        this.guard = new Guard(context.tasks());
        this.attacher = new Attacher(context, guard);
        this.calls = new Calls(this, guard);
        this.surveys = new Surveys(this, guard);
    }

    /// Joins through the first hub that answers, and waits until the view is complete.
    public void join() {
        long deadline = guard.deadline(context.wish().limit());
        var attachment = attacher.first(deadline);
        adopt(attachment);
        context.tasks().vital("hub", () -> follow(attachment));
        if (!guard.await(() -> roll.complete() || ended(), guard.left(deadline))) {
            throw new HubUnreachable(
                    "%s admitted the node, but did not send the members of pool '%s' in time%s"
                            .formatted(hub(), context.pool(), whyLost()));
        }
        requireMember();
    }

    /// What the hub said when it took the node in: rank, size, observed address.
    public Reply.Welcome welcome() {
        return guard.locked(roll::welcome);
    }

    /// Looks at what is known of the pool.
    public <T> T look(Function<View, T> at) {
        return guard.locked(() -> at.apply(roll.view()));
    }

    /// As [#look], for what only those know who follow the members of their pool.
    public <T> T lookAtMembers(Function<View, T> at) {
        if (context.wish().membership() == Membership.NONE) {
            throw new IllegalStateException(
                    "this node has joined with Membership.NONE and does not follow the members of"
                            + " its pool: join with another one");
        }
        return look(at);
    }

    /// Waits until this holds.
    ///
    /// @return false when it does not within `limit`
    /// @throws Departed when this node is no member any more
    public boolean await(Predicate<View> condition, Duration limit) {
        boolean held =
                guard.await(() -> condition.test(roll.view()) || ended(), Tasks.nanos(limit));
        if (held && guard.locked(() -> condition.test(roll.view()))) {
            return true;
        }
        requireMember();
        return false;
    }

    /// Whether no member can come any more: the pool is closed, and its hub has not begun anew
    /// since, which hears of those who were there one by one.
    public boolean isSettled() {
        return guard.locked(() -> !roll.view().closed().isEmpty() && !roll.forgotten());
    }

    /// The winner of an election, as far as this node has heard of it.
    public Optional<PoolEvent.Elected> elected(String election) {
        return guard.locked(() -> results.winner(roll.view(), election));
    }

    /// Waits until an election has a winner.
    ///
    /// @return none when it has none within `limit`
    /// @throws Departed when this node is no member any more
    public Optional<PoolEvent.Elected> awaitElected(String election, Duration limit) {
        var won = new AtomicReference<>(elected(election)); // the winner may have gone again
        await(
                view ->
                        won.updateAndGet(known -> known.or(() -> results.winner(view, election)))
                                .isPresent(),
                limit);
        return won.get();
    }

    /// Has events given to a consumer: what is now, then what follows.
    ///
    /// @param wanted which of them
    public Subscription events(Predicate<PoolEvent> wanted, Consumer<PoolEvent> consumer) {
        return subscribe(new Inbox(this, guard, wanted, consumer));
    }

    /// The same, paused from the beginning.
    public Subscription pausedEvents(Predicate<PoolEvent> wanted, Consumer<PoolEvent> consumer) {
        var inbox = new Inbox(this, guard, wanted, consumer);
        inbox.pause();
        return subscribe(inbox);
    }

    /// Has events kept until they are polled: what is now, then what follows.
    public Events events() {
        return subscribe(new Inbox(this, guard, _ -> true, null));
    }

    private Inbox subscribe(Inbox inbox) {
        guard.run(() -> feed.add(inbox, difference(new View(), Map.of())));
        return inbox;
    }

    void unsubscribe(Inbox inbox) {
        feed.remove(inbox);
    }

    /// The events that lead from what was known to what is known; under the guard.
    ///
    /// @param dead how those died meanwhile who have not left
    List<PoolEvent> difference(View from, Map<NodeId, String> dead) {
        var events = new ArrayList<PoolEvent>(roll.view().since(from, dead));
        if (link == null && roll.complete()) {
            events.add(new PoolEvent.HubLost(lost));
        }
        return events;
    }

    /// How a member is reached; asked of the hub within a time limit that a lost hub may use to
    /// come back.
    public Optional<Contact> contact(NodeId id, Duration limit) {
        return id.equals(context.self().id())
                ? Optional.of(context.self())
                : calls.contact(id, limit);
    }

    /// What members say of their networks, asked through the hub by need.
    ///
    /// @param limit that a lost hub may use to come back
    public Optional<Surroundings> surroundings(NodeId id, Duration limit) {
        return id.equals(context.self().id())
                ? Optional.of(context.surroundings().get())
                : surveys.of(id, limit);
    }

    /// What a member has said of its network lately; nobody is asked.
    public Optional<Surroundings> knownSurroundings(NodeId id) {
        return surveys.known(id);
    }

    /// Has a member asked, for those who will want to know it.
    public void wishForSurroundings(NodeId id) {
        surveys.wish(id);
    }

    /// Has the hub do something.
    public Outcome operate(Operation operation, Duration limit) {
        return calls.operate(operation, limit);
    }

    /// Tells the hub that a member seems gone; it looks for itself.
    public void report(NodeId id, String why) {
        var at = link;
        if (at != null) {
            at.send(RequestCoding.encode(new Request.Report(id, Protocol.clip(why))));
        }
    }

    /// Leaves; waits for the hub to have heard it, two seconds at most, in which one that is away
    /// may come back.
    public void leave() {
        guard.run(() -> {
            leaving = true;
            sayLeave();
            guard.changed();
        });
        boolean member = lost.isEmpty() ? link != null : !context.wish().visits();
        if (member && gone == null) {
            guard.awaitUninterruptibly(() -> over || gone != null, LEAVE_LIMIT.toNanos());
        }
        var at =
                guard.locked(() -> {
                    over = true;
                    guard.changed();
                    return link;
                });
        if (at != null) {
            at.close("it left");
        }
    }

    private void sayLeave() {
        var at = link;
        if (at != null && leaving) {
            at.send(RequestCoding.encode(new Request.Leave()));
        }
    }

    Tasks tasks() {
        return context.tasks();
    }

    @Nullable ControlLink link() {
        return link;
    }

    /// Whether this node is no member any more, or leaves.
    boolean ended() {
        return gone != null || leaving;
    }

    boolean closed() {
        return leaving;
    }

    /// Whether the node hears when this member is gone.
    boolean follows(NodeId id) {
        return context.wish().membership() == Membership.NONE || roll.view().member(id) != null;
    }

    String hub() {
        return "hub " + attacher.hub();
    }

    /// The address of the hub found, or tried last, as `host:port`.
    public String hubAddress() {
        return attacher.hub();
    }

    /// For the end of a message: that the hub is lost, if it is.
    public String whyLost() {
        return lost.isEmpty() ? "" : "; it is lost: " + lost;
    }

    void requireMember() {
        var why = gone;
        if (why != null) {
            throw new Departed(why);
        }
        if (leaving) {
            throw new IbidemException("this node was closed");
        }
    }

    private void follow(Attachment first) {
        try {
            for (var next = first; next != null; next = attachAgain()) {
                var at = next.link();
                // With a goodbye: an end of stream alone would be a proof of death to the hub.
                at.onSilence(since -> {
                    var why = "the hub was silent for " + since.toSeconds() + " s";
                    context.tasks().vital("silent hub", () -> at.close(why));
                });
                read(at);
                lose(at);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // the node was closed
        }
    }

    private void read(ControlLink at) {
        try {
            for (var message = at.receive(); message != null; message = at.receive()) {
                var reply = ReplyCoding.decode(message);
                guard.run(() -> take(reply));
            }
        } catch (Roll.Gap e) {
            at.close(String.valueOf(e.getMessage()));
        } catch (Malformed e) {
            at.close("it sent garbage: " + e.getMessage());
        }
    }

    private void take(Reply reply) {
        switch (reply) {
            case Reply.Snapshot part -> take(part);
            case Reply.Events events -> roll.take(events).forEach(this::apply);
            case Reply.Found found -> take(found);
            case Reply.Settled settled -> calls.settled(settled).ifPresent(results::add);
            case Reply.Bye() when leaving -> over = true; // else it could not come back
            case Reply.Describe() -> surveys.describe(link, context.surroundings());
            case Reply.Surveyed surveyed -> surveys.answered(surveyed);
            case Reply.Revoked(var list) -> new Revoked(this, context).take(list);
            case Reply.Refused(var code, var text) ->
                    throw new Malformed("refused late: " + code + " " + text);
            case Reply.Welcome _, Reply.Forgotten _, Reply.Probed _, Reply.Bye _ ->
                    throw new Malformed("not expected now: " + reply);
        }
        lookWhetherBack();
        guard.changed();
    }

    private void take(Reply.Snapshot part) {
        var changes = roll.take(part);
        if (!part.more()) {
            results.clear();
            changes.forEach(this::apply);
            if (part.facts().missed()) {
                feed.publish(new PoolEvent.Missed("this node was away for too long"));
            }
        }
    }

    private void take(Reply.Found found) {
        var member = calls.found(found);
        if (member != null) {
            feed.publish(
                    found.died().isEmpty()
                            ? new PoolEvent.Left(member)
                            : new PoolEvent.Died(member, found.died()));
        }
    }

    private void apply(Change change) {
        feed.makeRoom(roll.view());
        boolean follows = context.wish().membership() != Membership.NONE;
        if (roll.view().apply(change) || !follows) {
            switch (change) {
                case PoolEvent.Left(var member) -> departed(member, "it left");
                case PoolEvent.Died(var member, var why) -> departed(member, why);
                case PoolEvent.Restored(var member) -> forget(member.id());
                default -> {
                    // says nothing about who can be reached where
                }
            }
            feed.publish(change);
        }
    }

    private void forget(NodeId id) {
        calls.forget(id);
        surveys.forget(id);
    }

    private void departed(Member member, String why) {
        forget(member.id());
        if (member.id().equals(context.self().id()) && !ended()) {
            gone =
                    "this node is no longer a member of pool '%s': %s; it may join again under a new identity"
                            .formatted(context.pool(), why);
        }
    }

    private void lookWhetherBack() {
        boolean first = !roll.complete();
        if (roll.caughtUp()) {
            lost = "";
            if (!first) {
                feed.publish(new PoolEvent.HubBack());
            }
        }
    }

    private void adopt(Attachment attachment) {
        guard.run(() -> {
            boolean forgotten = roll.begin(attachment.welcome());
            link = attachment.link();
            if (forgotten || attachment.recalled()) {
                results.clear();
                feed.publish(
                        forgotten
                                ? new PoolEvent.Restarted(
                                        "pool restarted: " + hub() + " began anew")
                                : roll.takeBack());
            }
            // One that began anew hears of its members one by one.
            boolean recheck =
                    context.wish().membership() == Membership.NONE && roll.complete() && !forgotten;
            surveys.attached();
            calls.attached(attachment.link(), forgotten, recheck);
            sayLeave();
            lookWhetherBack();
            guard.changed();
        });
    }

    private void lose(ControlLink at) {
        guard.run(() -> {
            link = null;
            lost = "its connection ended: " + at.ending();
            calls.lost();
            surveys.lost();
            if (!leaving) {
                LOG.log(
                        Level.WARNING,
                        "node {0} lost {1}: {2}",
                        context.self().id().brief(),
                        hub(),
                        at.ending());
                feed.publish(new PoolEvent.HubLost(lost));
            }
            guard.changed();
        });
    }

    /// Tries until the hub is back.
    ///
    /// @return null when the node is no member any more
    private @Nullable Attachment attachAgain() throws InterruptedException {
        var pause = Attacher.firstPause();
        while (restsBefore(pause)) {
            try {
                var again = attachOnce();
                adopt(again);
                return again;
            } catch (JoinRefused.HubFull e) {
                lost = String.valueOf(e.getMessage());
            } catch (Departed | JoinRefused e) {
                depart(String.valueOf(e.getMessage()));
                return null;
            } catch (IbidemException e) {
                lost = String.valueOf(e.getMessage());
            }
            pause = leaving ? Attacher.firstPause() : Attacher.longer(pause);
        }
        return null;
    }

    /// One who leaves meanwhile is in a hurry.
    ///
    /// @return false when the node is no member any more
    private boolean restsBefore(Duration next) throws InterruptedException {
        boolean before = leaving;
        guard.awaitInterruptibly(
                () -> gone != null || over || leaving != before, Attacher.jittered(next));
        return gone == null && !over;
    }

    private Attachment attachOnce() {
        var memory = look(view -> new Attachment.Memory(view.members(), view.elections()));
        return attacher.again(welcome(), guard.locked(roll::past), memory);
    }

    void depart(String why) {
        guard.run(() -> {
            gone = why;
            var me = roll.view().member(context.self().id());
            if (me != null) {
                apply(new PoolEvent.Died(me, why));
            }
            guard.changed();
        });
    }
}
