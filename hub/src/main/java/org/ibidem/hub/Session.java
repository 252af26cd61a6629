package org.ibidem.hub;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.buffer.Malformed;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Ending;
import org.ibidem.hub.pools.Answer;
import org.ibidem.hub.pools.Pool;
import org.ibidem.registry.Membership;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.task.Tasks;
import org.ibidem.topology.Contact;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One connection of one node to the hub, from the handshake to its end; then says to the register
/// what its end means.
final class Session implements Listener {
    private static final Logger LOG = System.getLogger(Session.class.getName());
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final int MOST_WAITING = 64;

    private final Register register;

    private Between between = Between.UNKNOWN;

    private final Prober prober;
    private final ReachabilityProber reachability;
    private final Inquest inquest;
    private final Survey survey;
    private final ControlLink link;
    private final Tasks tasks;
    private final long number;
    private final Recollection recollection = new Recollection();
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicInteger missed = new AtomicInteger();
    private volatile boolean attached;

    /// Since when the node is listened to; the latest moment while it is not, for what it wants is
    /// being done.
    private volatile long listening;

    private volatile boolean obeying;
    private Runnable joined = () -> {};

    /// How a visitor is reached; null: it is none.
    private volatile @Nullable Contact visiting;

    // The rest is the register's, under its guard.
    private final Set<NodeId> dealings = new HashSet<>();
    private Membership membership = Membership.EVENTUAL;
    private boolean remembers;
    private long known = -1;
    private long seen = -1;
    private long current;

    Session(
            Register register,
            Prober prober,
            ReachabilityProber reachability,
            ControlLink link,
            Tasks tasks) {
        this.register = register;
        this.prober = prober;
        this.reachability = reachability;
        this.inquest = new Inquest(this, register, prober, tasks);
        this.survey = new Survey(tasks, () -> send(new Reply.Describe()));
        this.link = link;
        this.tasks = tasks;
        this.number = register.nextSession();
        this.listening = tasks.nanoTime();
    }

    String pool() {
        return link.proved().hello().pool();
    }

    @Override
    public NodeId id() {
        return link.peer();
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public boolean visits() {
        return visiting != null;
    }

    /// How a visitor is reached, or null.
    @Nullable Contact visiting() {
        return visiting;
    }

    @Override
    public boolean knows(NodeId member) {
        return dealings.contains(member) || member.equals(id());
    }

    @Override
    public long known() {
        return known;
    }

    @Override
    public long seen() {
        return seen;
    }

    @Override
    public boolean remembers() {
        return remembers || known >= 0;
    }

    long number() {
        return number;
    }

    boolean isUnhidden() {
        return between.nothing();
    }

    /// Serves the node until the link ends.
    ///
    /// @param place of its connection, which may be none
    /// @param told before the node is, that it was taken in
    /// @param patience how long it may take to attach
    void run(Places.Place place, Runnable told, Duration patience) {
        joined = told;
        link.onSilence(since -> tasks.start("silent node", () -> silent(since)));
        if (!place.refusal().isEmpty()) {
            refuse(JoinRefusal.HUB_FULL, place.refusal());
            return;
        }
        var limit = limitToAttach(patience);
        try {
            for (var message = link.receive(); message != null; message = link.receive()) {
                var request = RequestCoding.decode(message);
                boolean attaches =
                        request instanceof Request.Attach || request instanceof Request.Visit;
                if (attaches) {
                    limit.stop(); // whatever the answer takes: it did its part in time
                }
                if (!attaches || attached || mayStay(place)) {
                    obeying = true;
                    obey(request);
                    listening = tasks.nanoTime();
                    obeying = false;
                }
                if (attaches && !attached) {
                    place.unsettle();
                    limit = limitToAttach(patience); // once more, with what it remembers
                }
            }
        } catch (Malformed e) {
            link.violated(String.valueOf(e.getMessage()));
        } finally {
            limit.stop();
        }
        survey.end();
        ended(link.ending());
    }

    private boolean mayStay(Places.Place place) {
        var why = place.settle();
        if (why != null && !why.isEmpty()) {
            refuse(JoinRefusal.HUB_FULL, why);
        }
        return why != null && why.isEmpty();
    }

    private Tasks.Task limitToAttach(Duration patience) {
        return tasks.after(
                patience, "limit to attach", () -> link.close("it did not attach in time"));
    }

    @Override
    public void tell(Batch batch) {
        batch.messages().forEach(link::send);
        seen = batch.upto();
        if (!batch.messages().isEmpty()) {
            known = seen;
        } else if (seen >= current && known < current) {
            link.send(Batches.events(known, seen, List.of()));
            known = seen;
        }
    }

    @Override
    public void hurry(long number) {
        current = Math.max(current, number);
    }

    @Override
    public boolean patient() {
        return membership != Membership.ORDERED && seen >= current;
    }

    @Override
    public boolean lags() {
        return link.waiting() > MOST_WAITING;
    }

    /// It wants to hear when this member is gone.
    void deals(NodeId with) {
        if (membership == Membership.NONE) {
            dealings.add(with);
        }
    }

    /// The member was taken in; called by the register, under its guard.
    ///
    /// @param last number of the last change it knows; -1: none of this life of the state
    void welcome(Answer.Accepted accepted, long epoch, long last) {
        attached = true;
        known = last;
        seen = last;
        current = accepted.last();
        int rank = accepted.member().rank();
        joined.run();
        send(
                new Reply.Welcome(
                        Protocol.VERSION, epoch, current, rank, accepted.size(), observed()));
    }

    /// The visitor was let in; called by the register, under its guard.
    void welcome(Contact contact, long epoch, Pool pool) {
        visiting = contact;
        attached = true;
        current = pool.log().last();
        joined.run();
        send(
                new Reply.Welcome(
                        Protocol.VERSION,
                        epoch,
                        current,
                        Reply.Welcome.NO_RANK,
                        pool.size(),
                        observed()));
    }

    /// An operation of the member has its outcome; called by the register, under its guard.
    void settled(long call, Outcome outcome) {
        send(new Reply.Settled(call, outcome));
    }

    /// Ends the connection; may take a second.
    void end(String why) {
        link.close(why);
    }

    private void obey(Request request) {
        switch (request) {
            case Request.Unspoken(var version) ->
                    refuse(
                            JoinRefusal.VERSION,
                            "this hub speaks version "
                                    + Protocol.VERSION
                                    + " of the registry protocol, not "
                                    + version);
            case Request.Recall recall -> recall(recall);
            case Request.Attach attach -> attach(attach);
            case Request.Visit(_, var contact) -> visit(contact);
            case Request.Leave() -> leave();
            case Request.Lookup(var call, var id) -> send(register.find(this, call, id));
            case Request.Report(var id, var why) -> report(id, why);
            case Request.Operate operate -> operate(operate);
            case Request.Survey(var call, var id) -> survey(call, id);
            case Request.Described(var surroundings) -> survey.said(surroundings);
            case Request.Probe probe -> probe(probe);
        }
    }

    private void recall(Request.Recall recall) {
        if (attached || !recollection.add(recall)) {
            link.violated("it recalls " + (attached ? "after it was attached" : "without end"));
        }
    }

    // One at a time: it is a hint, and looking takes a while.
    private void report(NodeId missed, String why) {
        if (attached && !visits() && looking.compareAndSet(false, true)) {
            tasks.start(
                    "look for a missed node",
                    () -> {
                        try {
                            register.reported(pool(), missed, why, prober);
                        } finally {
                            looking.set(false);
                        }
                    });
        }
    }

    private void operate(Request.Operate operate) {
        if (!attached) {
            link.violated("it sent a request before it was attached");
        } else {
            register.operate(this, operate);
        }
    }

    private void survey(int call, NodeId about) {
        var session = attached ? register.session(this, about) : null;
        Survey.Asker asker =
                (age, said) -> send(new Reply.Surveyed(call, (int) age.toMillis(), said));
        if (session == null) {
            asker.told(Duration.ZERO, Optional.empty());
        } else {
            session.survey.want(asker);
        }
    }

    private void probe(Request.Probe probe) {
        var from = from();
        if (from != null) {
            reachability.probe(probe, from, this::send);
        }
    }

    private void attach(Request.Attach wish) {
        if (!mayAttach(wish.contact())) {
            return;
        }
        membership = wish.membership();
        remembers = wish.past().epoch() != 0;
        var known = recollection.take();
        between = Between.of(link.proved().stream(), wish);
        var seen = Observed.in(wish.contact(), from());
        switch (register.attach(this, wish.with(seen), known)) {
            case Answer.Refused(var code, var text) -> refuse(code, text);
            case Answer.Forgotten(var sum) -> send(new Reply.Forgotten(sum));
            case Answer.Accepted _, Answer.Done _, Answer.Settled _ -> {
                // it was welcomed, or the hub ends
            }
        }
    }

    private void visit(Contact contact) {
        if (mayAttach(contact)) {
            var refused = register.visit(this, Observed.in(contact, from()));
            if (refused != null) {
                refuse(refused.code(), refused.text());
            }
        }
    }

    private boolean mayAttach(Contact contact) {
        boolean itself = contact.id().equals(id());
        if (attached || !itself) {
            link.violated(
                    attached
                            ? "it attaches twice"
                            : "it attaches as another node than it has proved to be");
        }
        return !attached && itself;
    }

    private void refuse(JoinRefusal code, String text) {
        send(new Reply.Refused(code, Protocol.clip(text)));
        link.close(text);
    }

    private void leave() {
        if (visits()) {
            register.gone(this);
        } else {
            register.leave(this);
        }
        attached = false;
        send(new Reply.Bye());
        link.close("it left");
    }

    void send(Reply reply) {
        link.send(ReplyCoding.encode(reply));
    }

    /// A member misses this one: it has two seconds to say something.
    void check() {
        // Missed again while it is looked for: looked for again afterwards.
        if (missed.getAndIncrement() == 0) {
            look();
        }
    }

    private void look() {
        int known = missed.get();
        long asked = tasks.nanoTime();
        link.ping();
        tasks.after(ANSWER_LIMIT, "listen for a missed node", () -> looked(known, asked));
    }

    /// @param asked when the node was: what it said since then was said in time
    private void looked(int known, long asked) {
        var quiet = quiet();
        long waited = tasks.nanoTime() - asked;
        boolean paused = waited > 2 * ANSWER_LIMIT.toNanos(); // the hub itself
        boolean heard = paused || quiet.toNanos() < waited;
        if (attached && link.ending() == null && !heard) {
            silent(quiet);
        }
        if (paused || !missed.compareAndSet(known, 0)) {
            look();
        }
    }

    /// For how long it was listened to, and not heard.
    private Duration quiet() {
        var quiet = link.quiet();
        var listened = Duration.ofNanos(obeying ? 0 : tasks.nanoTime() - listening);
        return listened.compareTo(quiet) < 0 ? listened : quiet;
    }

    private void silent(Duration since) {
        if (quiet().compareTo(since.dividedBy(2)) < 0) {
            return; // it is told again after a while
        }
        if (attached && !visits()) {
            register.lost(this, "silent for " + since.toSeconds() + " s");
            tasks.after(LOOK_AGAIN, "listen for a silent node", () -> listen(since));
        } else {
            link.giveUp(since);
        }
    }

    private void listen(Duration since) {
        if (link.ending() == null) {
            if (link.quiet().compareTo(since) < 0) {
                register.heard(this);
            } else {
                tasks.after(LOOK_AGAIN, "listen for a silent node", () -> listen(since));
            }
        }
    }

    private void ended(@Nullable Ending ending) {
        LOG.log(
                Level.DEBUG, // a violation is complained of by the hub
                "connection of node {0} of pool {1} ended: {2}",
                id().brief(),
                pool(),
                ending);
        if (visits()) {
            register.gone(this);
        } else if (attached) {
            switch (ending) {
                case Ending.EndOfStream() -> endOfStream();
                case Ending.Reset(var what) -> inquest.reset(what, between.nothing());
                case null, default ->
                        register.lost(this, "its connection to the hub ended: " + ending);
            }
        }
    }

    /// Of a connection that something stands in, it may be that thing which has ended.
    private void endOfStream() {
        if (!between.taken()) {
            register.proved(
                    this, "its connection to the hub ended without a leave: its process is gone");
        } else {
            register.lost(
                    this,
                    "its connection to the hub ended without a leave: it, or what stands between");
        }
    }

    private String observed() {
        var from = from();
        return from == null ? "" : Request.Arrival.text(from);
    }

    private @Nullable InetSocketAddress from() {
        return Observed.from(link.proved().path());
    }
}
