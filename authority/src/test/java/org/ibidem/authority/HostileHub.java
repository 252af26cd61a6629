package org.ibidem.authority;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.ibidem.accept.Listener;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Declarations;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Vetting;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.peer.Purpose;
import org.ibidem.registry.Member;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Tag;
import org.ibidem.registry.wire.Operation;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A hub that does as a test likes. By itself it answers as a hub does; what it says may be left
/// out, said twice, later or altered, and it may make things up: members, addresses, winners.
final class HostileHub implements AutoCloseable {
    /// What becomes of a message on its way to a node.
    @FunctionalInterface
    interface Tongue {
        /// What is said instead, in this order.
        List<byte[]> instead(NodeId to, Reply reply);
    }

    /// It says what is so.
    static final Tongue HONEST = (_, reply) -> List.of(ReplyCoding.encode(reply));

    private static final long EPOCH = 7;

    private final Threads tasks = new Threads("hostile hub");
    private final Listener listener;

    /// In the order in which they came.
    private final Map<NodeId, Seat> seats = new LinkedHashMap<>();

    /// Where it says that they are.
    private final Map<NodeId, Contact> places = new HashMap<>();

    private final Map<String, Member> winners = new ConcurrentHashMap<>();
    private volatile Tongue tongue = HONEST;
    private volatile BiPredicate<NodeId, NodeId> shows = (_, _) -> true;

    /// One that it calls a member, and what it has told it.
    private static final class Seat {
        private final Member member;
        private @Nullable ControlLink link;
        private long last = 1;

        Seat(Member member) {
            this.member = member;
        }
    }

    /// @param identity who it is, with a certificate or without
    HostileHub(Identity identity) {
        var vetting = new Vetting(identity.trust(), Declarations.NONE, Catalog.NONE);
        var handshake = new Handshake(identity, tasks, Handshake.LIMIT, vetting);
        listener = Listener.bound(0, false, handshake, tasks);
        listener.serve(Purpose.BOOTSTRAP, Admission.ALL, this::serve);
        listener.begin();
    }

    int port() {
        return listener.port();
    }

    /// From now on it says this instead of what is so.
    void speaks(Tongue otherwise) {
        tongue = otherwise;
    }

    /// From now on it shows to each (first) only some of the members (second).
    void shows(BiPredicate<NodeId, NodeId> some) {
        shows = some;
    }

    /// Says of anybody that he has joined, and where he is.
    synchronized Member names(Contact anybody) {
        var seat = seat(anybody.id(), Location.parse("anywhere"), Tag.NONE);
        places.put(anybody.id(), anybody);
        announce(seat);
        return seat.member;
    }

    /// Says from now on that a node is to be found there.
    synchronized void puts(NodeId node, Contact there) {
        places.put(node, there);
    }

    /// Where it would have said that a node is.
    synchronized Contact place(NodeId node) {
        return places.get(node);
    }

    /// Tells a node something that nobody asked for; the tongue has no say.
    synchronized void tells(NodeId to, Reply reply) {
        say(seats.get(to), List.of(ReplyCoding.encode(reply)));
    }

    /// Tells a node of a change; the tongue has its say.
    synchronized void changes(NodeId to, PoolEvent.Change change) {
        var seat = seats.get(to);
        say(seat, new Reply.Events(seat.last, ++seat.last, List.of(change)));
    }

    /// The pool as it would tell it to a node now.
    synchronized Reply.Snapshot snapshot(NodeId to) {
        var entries =
                seats.values().stream()
                        .map(each -> each.member)
                        .filter(each -> shows.test(to, each.id()))
                        .map(each -> new Reply.Entry(each, false))
                        .toList();
        var facts = new Reply.Facts("", Optional.empty(), false, false);
        return new Reply.Snapshot(seats.get(to).last, false, facts, entries, List.of(), List.of());
    }

    /// Ends the connection to a node, with a word.
    void drops(NodeId node) {
        var link = link(node);
        if (link != null) {
            link.close("it is in the mood for it");
        }
    }

    private synchronized @Nullable ControlLink link(NodeId node) {
        return seats.get(node).link;
    }

    private void serve(Proved proved) {
        var link = ControlLink.over(proved, tasks, ControlLink.Limits.DEFAULT);
        try {
            for (var message = link.receive(); message != null; message = link.receive()) {
                hear(link, RequestCoding.decode(message));
            }
        } catch (Malformed e) {
            link.violated(String.valueOf(e.getMessage()));
        }
    }

    private synchronized void hear(ControlLink link, Request request) {
        if (request instanceof Request.Attach attach) {
            attach(link, attach);
            return;
        }
        var seat = seats.get(link.peer());
        if (seat == null) {
            return; // it has left, and says it once more
        }
        switch (request) {
            case Request.Lookup(var call, var id) -> say(seat, found(link.peer(), call, id));
            case Request.Operate operate ->
                    say(seat, new Reply.Settled(operate.call(), outcome(seat, operate)));
            case Request.Leave() -> leave(seat);
            case Request.Survey(var call, _) ->
                    say(seat, new Reply.Surveyed(call, 0, Optional.empty()));
            default -> {
                // it has heard it
            }
        }
    }

    private void attach(ControlLink link, Request.Attach wish) {
        var seat = seat(link.peer(), wish.location(), wish.tag());
        boolean first = places.putIfAbsent(link.peer(), wish.contact()) == null;
        seat.link = link;
        int rank = seat.member.rank();
        say(seat, new Reply.Welcome(Protocol.VERSION, EPOCH, seat.last, rank, 0, ""));
        say(seat, snapshot(link.peer()));
        if (first) {
            announce(seat);
        }
    }

    private Seat seat(NodeId id, Location location, Tag tag) {
        int rank = seats.size();
        return seats.computeIfAbsent(id, _ -> new Seat(new Member(id, rank, location, tag)));
    }

    private void announce(Seat newcomer) {
        for (var id : seats.keySet()) {
            if (!id.equals(newcomer.member.id()) && shows.test(id, newcomer.member.id())) {
                changes(id, new PoolEvent.Joined(newcomer.member));
            }
        }
    }

    private void leave(Seat seat) {
        say(seat, new Reply.Bye());
        seats.remove(seat.member.id());
        seats.keySet().forEach(id -> changes(id, new PoolEvent.Left(seat.member)));
    }

    private Reply found(NodeId asker, int call, NodeId id) {
        var place = places.get(id);
        var seat = seats.get(id);
        var member = seat == null ? Optional.<Member>empty() : Optional.of(seat.member);
        return new Reply.Found(
                call,
                place == null || !shows.test(asker, id)
                        ? Optional.empty()
                        : Optional.of(new Reply.Whereabouts(member, place)),
                "");
    }

    private Outcome outcome(Seat seat, Request.Operate operate) {
        return operate.operation() instanceof Operation.Elect(var name)
                ? new Outcome.Elected(winners.computeIfAbsent(name, _ -> seat.member), 1)
                : new Outcome.Done();
    }

    private void say(Seat seat, Reply reply) {
        say(seat, tongue.instead(seat.member.id(), reply));
    }

    private static void say(Seat seat, List<byte[]> messages) {
        var link = seat.link;
        if (link != null) {
            messages.forEach(link::send);
        }
    }

    @Override
    public void close() {
        listener.close();
        tasks.close();
    }
}
