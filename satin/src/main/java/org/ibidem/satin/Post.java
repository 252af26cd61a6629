package org.ibidem.satin;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Subscription;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Letters between this process and the others: one port that all write to, and a [Peer] for each
/// of those it writes to itself.
final class Post implements Others {
    static final String NAME = "satin";

    private static final System.Logger LOG = System.getLogger(Post.class.getName());

    private final Crew crew;
    private final Node node;
    private final PortType type;
    private final ReceivePort in;
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();
    private final Victims victims;
    private final Questions questions;
    private final Tallies tallies = new Tallies();
    private final Subscription events;
    private volatile boolean closed;

    Post(Crew crew, Node node, Satin.Options options) {
        this.crew = crew;
        this.node = node;
        this.type =
                PortType.manyToOne().with(Capability.UPCALLS).stack(options.stack()).named(NAME);
        this.victims = new Victims(node.location());
        this.questions =
                new Questions(
                        victims,
                        options.stealing(),
                        (to, letter) -> peer(to).send(letter),
                        System::nanoTime);
        this.in = ReceivePort.open(node, type, NAME, ReceiveSetup.USUAL.upcall(this::received));
        this.events = node.events(this::happened);
    }

    private void happened(PoolEvent event) {
        switch (event) {
            case PoolEvent.Joined joined -> come(joined.member());
            case PoolEvent.Restored restored -> come(restored.member());
            case PoolEvent.Suspected suspected -> victims.remove(suspected.member().id());
            case PoolEvent.Left left -> gone(left.member().id());
            case PoolEvent.Died died -> gone(died.member().id());
            default -> {}
        }
    }

    private void come(Member member) {
        if (!member.id().equals(node.id())) {
            victims.add(member.id(), member.location());
        }
    }

    private void gone(NodeId id) {
        crew.died(id); // First: who makes a peer after this sees it.
        victims.remove(id);
        var peer = peers.remove(id);
        if (peer != null) {
            peer.end().forEach(crew::orphaned);
        }
        questions.gone(id);
        tallies.gone(id);
    }

    private Peer peer(NodeId id) {
        var peer = peers.computeIfAbsent(id, to -> new Peer(node, type, to));
        // One that is made while all are ended has nobody else who ends it.
        if ((closed || crew.isDead(id)) && peers.remove(id, peer)) {
            peer.end().forEach(Parcel::abandon);
        }
        return peer;
    }

    @Override
    public void abandon(NodeId thief, long stamp) {
        peer(thief).send(Letter.abandon(stamp));
    }

    @Override
    public void toAll(Letter letter) {
        others().forEach(id -> peer(id).send(letter));
    }

    @Override
    public boolean areFull() {
        return !closed && others().anyMatch(id -> peer(id).isFull());
    }

    private Stream<NodeId> others() {
        return node.members().stream()
                .map(Member::id)
                .filter(id -> !id.equals(node.id()) && !crew.isDead(id));
    }

    @Override
    public @Nullable Parcel steal() throws InterruptedException {
        return closed ? null : questions.ask();
    }

    @Override
    public void pause(boolean whether) {
        questions.pause(whether);
    }

    @Override
    public long askedFar() {
        return questions.askedFar();
    }

    private void received(ReadMessage message) {
        var from = message.origin().node();
        Letter letter;
        try {
            letter = Letter.read(message);
        } catch (IbidemException e) {
            LOG.log(Level.WARNING, "a letter is passed over: {0}", e.getMessage());
            return;
        }
        switch (letter.kind()) {
            case ASK -> asked(from, letter.number());
            case GIVE -> given(from, letter);
            case NONE -> questions.give(letter.number(), null);
            case DONE -> crew.done(letter.stamp(), letter.body(), false);
            case THREW -> crew.done(letter.stamp(), letter.body(), true);
            case BACK ->
                    crew.back(letter.stamp(), new String(letter.body(), StandardCharsets.UTF_8));
            case ABANDON -> peer(from).abandons(letter.stamp());
            case WRITE -> written(from, letter);
            case SHARE -> shared(from, letter);
            case ORPHAN -> {
                if (!crew.isDead(from)) {
                    crew.orphans().know(letter.number(), new Orphans.Known(from, letter.stamp()));
                }
            }
            case CLAIM -> claimed(letter.number(), new Orphans.Claim(from, letter.stamp()));
            case COUNT -> {
                if (!peer(from).isFull()) { // It asks again.
                    peer(from).send(Letter.counted(letter.number(), crew.tally()));
                }
            }
            case COUNTED -> counted(from, letter);
        }
    }

    private void counted(NodeId from, Letter letter) {
        try {
            node.member(from)
                    .filter(_ -> !crew.isDead(from))
                    .map(member -> letter.tally(Victims.site(member.location())))
                    .ifPresent(tally -> tallies.come(from, letter.number(), tally));
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "a letter of {0} is passed over: {1}", from, e.getMessage());
        }
    }

    @Override
    public void count(Duration within) throws InterruptedException {
        if (closed) {
            return;
        }
        var whom = others().filter(id -> !peer(id).isFull()).toList();
        long number = tallies.ask(whom);
        whom.forEach(id -> peer(id).send(Letter.count(number)));
        tallies.await(within);
    }

    @Override
    public List<Tally> tallies() {
        return tallies.withOwn(crew.tally().at(Victims.site(node.location())));
    }

    private void given(NodeId from, Letter letter) {
        var giver = peer(from);
        try {
            var parcel = giver.gives(letter);
            if (!questions.give(letter.number(), parcel)) {
                giver.back(letter.stamp(), "");
            }
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "a letter of {0} is passed over: {1}", from, e.getMessage());
        }
    }

    private void claimed(long place, Orphans.Claim claim) {
        if (!crew.orphans().await(place, claim)) {
            answer(claim, crew.orphans().result(place));
        }
    }

    @Override
    public void claim(NodeId holder, long place, long stamp) {
        peer(holder).send(Letter.claim(place, stamp));
    }

    @Override
    public void answer(Orphans.Claim claim, Orphans.@Nullable Result result) {
        if (result == null) {
            peer(claim.who()).back(claim.stamp(), "");
        } else {
            peer(claim.who()).done(claim.stamp(), result.outcome(), result.thrown());
        }
    }

    private void written(NodeId from, Letter letter) {
        try {
            var write = letter.write();
            crew.sharing().written(from, write.id(), letter.number(), write.bytes());
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "a write of {0} is passed over: {1}", from, e.getMessage());
        }
    }

    private void shared(NodeId from, Letter letter) {
        try {
            crew.sharing().shared(letter.body());
        } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException e) {
            LOG.log(Level.WARNING, "an object of {0} cannot be read here: {1}", from, e);
        }
    }

    private void asked(NodeId from, long number) {
        var peer = peer(from);
        if (peer.isFull()) {
            return; // It asks on, and reads nothing.
        }
        var parcel = crew.give(from);
        if (parcel == null) {
            peer.send(Letter.none(number));
            return;
        }
        peer.send(Letter.give(number, parcel));
        if (parcel.isAbandoned()) {
            abandon(from, parcel.stamp()); // What said so before may have come before it.
        }
    }

    @Override
    public void close() {
        closed = true;
        crew.sharing().end();
        events.close();
        peers.values().forEach(peer -> peer.end().forEach(Parcel::abandon));
        in.close();
    }
}
