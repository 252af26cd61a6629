package org.ibidem.satin;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.Visible;
import org.ibidem.port.Capability;
import org.ibidem.port.MessageAbandoned;
import org.ibidem.port.PortType;
import org.ibidem.port.ReadMessage;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.Subscription;
import org.ibidem.station.NodeRuntime;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// Letters between this process and the others: one port that all write to, and a [Peer] for each
/// of those it writes to itself.
final class Post implements Others {
    static final String NAME = "satin";

    private static final String NOT_ASKED = "it was not asked for that";
    private static final String NO_ANSWERS = "it gets answers and does not read them";

    private static final System.Logger LOG = System.getLogger(Post.class.getName());

    /// Bytes of a letter, which are here before it is known to be of use.
    private static final long LONGEST = Runtime.getRuntime().maxMemory() / 4;

    private final Crew crew;
    private final Node node;
    private final PortType type;
    private final ReceivePort in;
    private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();
    private final Victims victims;
    private final Questions questions;
    private final Tallies tallies = new Tallies();

    /// Processes that have sent what can only be forged.
    private final Set<NodeId> liars = ConcurrentHashMap.newKeySet();

    /// Processes of which a letter was passed over.
    private final Set<NodeId> warned = ConcurrentHashMap.newKeySet();

    /// Processes of which a letter could not be read.
    private final Set<NodeId> unread = ConcurrentHashMap.newKeySet();

    /// Processes of which a shared object could not be read.
    private final Set<NodeId> objected = ConcurrentHashMap.newKeySet();

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
        if (!member.id().equals(node.id()) && !crew.isDead(member.id())) {
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
        var peer = peers.computeIfAbsent(id, to -> new Peer(node, type, to, this::instead));
        // One that is made while all are ended has nobody else who ends it.
        if ((closed || crew.isDead(id)) && peers.remove(id, peer)) {
            peer.end().forEach(Parcel::abandon);
        }
        return peer;
    }

    /// How many letters wait for a process.
    int waiting(NodeId id) {
        return peer(id).waiting();
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
        if (liars.contains(from)) {
            disconnect(from);
            return;
        }
        Letter letter = null;
        try {
            var head = Letter.head(message);
            letter = head.letter();
            if (head.size() > LONGEST) {
                unread(
                        from,
                        letter,
                        "it has %s bytes, and here there is room for letters of %s"
                                .formatted(head.size(), LONGEST));
                return;
            }
            letter = head.read(message);
        } catch (MessageAbandoned _) {
            return; // it is written again
        } catch (IbidemException e) {
            passOver(from, "without a head", String.valueOf(e.getMessage()));
            return;
        } catch (Error e) { // no room for its body
            if (letter == null) {
                throw e;
            }
            unread(from, letter, IbidemException.describe(e));
            return;
        }
        received(from, letter);
    }

    /// What a letter is about does not wait for ever when its body cannot be read.
    private void unread(NodeId from, Letter letter, String what) {
        var why = "a letter cannot be read: " + what;
        var level = unread.add(from) ? Level.WARNING : Level.DEBUG;
        LOG.log(level, "{0} of {1}: {2}", letter.kind(), from, why);
        switch (letter.kind()) {
            case GIVE -> {
                questions.give(from, letter.number(), null);
                giveBack(from, letter, why);
            }
            case DONE, THREW, BACK -> answered(from, Letter.back(letter.stamp(), why));
            default -> {}
        }
    }

    private @Nullable Letter instead(Letter unsent, Error e) {
        return instead(unsent, e, crew);
    }

    /// What is written in the place of a letter that cannot be: its reader does not wait for ever.
    ///
    /// @param crew whose jobs are given
    /// @return null: nothing
    static @Nullable Letter instead(Letter unsent, Error e, Parcel.Giver crew) {
        var why = "it cannot be sent: " + IbidemException.describe(e);
        LOG.log(Level.WARNING, "a letter of kind {0}: {1}", unsent.kind(), why);
        return switch (unsent.kind()) {
            case GIVE -> {
                crew.back(unsent.stamp(), why);
                yield Letter.none(unsent.number());
            }
            case DONE, THREW -> Letter.back(unsent.stamp(), why);
            case WRITE, SHARE -> null;
            default -> unsent; // It is small: later there is room for it.
        };
    }

    private void received(NodeId from, Letter letter) {
        switch (letter.kind()) {
            case ASK -> asked(from, letter.number());
            case GIVE -> given(from, letter);
            case NONE -> none(from, letter);
            case DONE, THREW, BACK -> answered(from, letter);
            case ABANDON -> peer(from).abandons(letter.stamp());
            case WRITE -> written(from, letter);
            case SHARE -> shared(from, letter);
            case ORPHAN -> {
                if (!crew.isDead(from)) {
                    crew.orphans().know(letter.number(), new Orphans.Known(from, letter.stamp()));
                }
            }
            case CLAIM -> claimed(from, letter);
            case COUNT -> {
                if (!peer(from).isFull()) { // It asks again.
                    peer(from).send(Letter.counted(letter.number(), crew.tally()));
                }
            }
            case COUNTED -> counted(from, letter);
        }
    }

    /// What became of a job is for its thief to say, and for nobody else.
    private void answered(NodeId from, Letter letter) {
        long stamp = letter.stamp();
        if (!crew.mayAnswer(from, stamp)) {
            drop(from, letter, "nobody has given it the job");
        } else if (letter.kind() == Letter.Kind.BACK) {
            crew.back(stamp, Visible.of(new String(letter.body(), StandardCharsets.UTF_8)));
        } else {
            crew.done(stamp, letter.body(), letter.kind() == Letter.Kind.THREW);
        }
    }

    /// A letter that comes late, or twice, is passed over; one that nothing of this process can
    /// have caused is no mistake. Its sender is as good as dead for this process: what it has of
    /// our jobs comes back, and no letter of it counts.
    private void drop(NodeId from, Letter letter, String why) {
        if (liars.add(from)) {
            LOG.log(
                    Level.WARNING,
                    "the connections of {0} are ended, and it no longer takes part in what this"
                            + " process does: it has forged a letter {1}, since {2}",
                    from,
                    letter.kind(),
                    why);
            gone(from);
        }
        disconnect(from);
    }

    private void disconnect(NodeId liar) {
        for (var origin : in.connections()) {
            if (origin.node().equals(liar)) {
                in.disconnect(origin);
            }
        }
    }

    private void none(NodeId from, Letter letter) {
        if (!questions.give(from, letter.number(), null)
                && !questions.mayHaveAsked(from, letter.number())) {
            drop(from, letter, NOT_ASKED);
        }
    }

    /// Says so once of each process, which may send any number.
    private void passOver(NodeId from, String what, String why) {
        LOG.log(
                warned.add(from) ? Level.WARNING : Level.DEBUG,
                "a letter {0} of {1} is passed over: {2}",
                what,
                from,
                why);
    }

    private void counted(NodeId from, Letter letter) {
        if (!tallies.mayHaveAsked(letter.number())) {
            drop(from, letter, NOT_ASKED);
            return;
        }
        try {
            node.member(from)
                    .filter(_ -> !crew.isDead(from))
                    .map(member -> letter.tally(Victims.site(member.location())))
                    .ifPresent(tally -> tallies.come(from, letter.number(), tally));
        } catch (IllegalArgumentException e) {
            passOver(from, letter.kind().toString(), String.valueOf(e.getMessage()));
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
            if (!questions.give(from, letter.number(), parcel)) {
                giveBack(from, letter, "");
            }
        } catch (IllegalArgumentException e) {
            passOver(from, letter.kind().toString(), String.valueOf(e.getMessage()));
        } catch (Error e) {
            unread(from, letter, IbidemException.describe(e));
        }
    }

    /// A job that is not done here, which somebody may have asked for.
    private void giveBack(NodeId from, Letter letter, String why) {
        var giver = peer(from);
        if (!questions.mayHaveAsked(from, letter.number())) {
            giver.over(letter.stamp());
            drop(from, letter, NOT_ASKED);
        } else if (giver.isOverfull()) {
            giver.over(letter.stamp());
            passOver(from, letter.kind().toString(), NO_ANSWERS);
        } else {
            giver.back(letter.stamp(), why);
        }
    }

    /// Whoever lets more answers wait than there can be orphans has claimed what is none.
    private void claimed(NodeId from, Letter letter) {
        if (peer(from).isOverfull()) {
            passOver(from, letter.kind().toString(), NO_ANSWERS);
            return;
        }
        long place = letter.number();
        var claim = new Orphans.Claim(from, letter.stamp());
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
            passOver(from, letter.kind().toString(), String.valueOf(e.getMessage()));
        }
    }

    private void shared(NodeId from, Letter letter) {
        try {
            crew.sharing().shared(from, letter.body());
        } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
            LOG.log(
                    objected.add(from) ? Level.WARNING : Level.DEBUG,
                    "an object of {0} cannot be read here: {1}",
                    from,
                    Visible.of(IbidemException.describe(e)));
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
        try {
            peer.send(Letter.give(number, parcel));
        } catch (Error e) {
            crew.back(parcel.stamp(), "it cannot be sent: " + IbidemException.describe(e));
            throw e;
        }
        if (parcel.isAbandoned()) {
            abandon(from, parcel.stamp()); // What said so before may have come before it.
        }
    }

    @Override
    public void close() {
        closed = true;
        crew.sharing().end();
        if (node.terminated().isEmpty()) { // otherwise nobody waits for anything
            sayLastWords();
        }
        events.close();
        peers.values().forEach(peer -> peer.end().forEach(Parcel::abandon));
        in.close();
    }

    /// What became of jobs of others is not done again.
    private void sayLastWords() {
        long end = System.nanoTime() + NodeRuntime.linger().toNanos();
        peers.values().forEach(Peer::leave);
        try {
            for (var peer : peers.values()) {
                peer.awaitLeft(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // then as they are
        }
    }
}
