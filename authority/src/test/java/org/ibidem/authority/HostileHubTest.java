package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ibidem.Background;
import org.ibidem.IbidemException;
import org.ibidem.Logged;
import org.ibidem.arbitration.Clock;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.service.Identity;
import org.ibidem.topology.Contact;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.ibidem.trust.Trust;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A hub that has its certificate and lies: it may say of everybody that he is a member, of nobody,
/// and anything of where they are. Whom the authority has not let in reads nothing and writes
/// nothing all the same, and nodes say why.
@Timeout(120)
@Tag("slow")
class HostileHubTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final Duration MONTH = Duration.ofDays(30);
    private static final PortType TYPE = PortType.manyToOne().stack("tls > tcp");
    private static final String STRANGE = "it shows no certificate";
    private static final int FLIPS = 30;

    @TempDir Path folder;

    private final List<AutoCloseable> opened = new ArrayList<>();

    /// Of another hub, which is in it with the first: of nobody does it want a certificate.
    private final HostileHub den = new HostileHub(Identity.create());

    private PoolAuthority demo;
    private HostileHub hub;
    private Node alice;
    private Node bob;
    private ReceivePort atAlice;
    private ReceivePort atBob;

    @BeforeEach
    void begin() throws Exception {
        demo = PoolAuthority.create(folder.resolve("demo"), "demo", new char[0], MONTH);
        hub = new HostileHub(issued("hub", Role.HUB));
        alice = member("alice");
        bob = member("bob");
        atAlice = in(alice);
        atBob = in(bob);
        alice.awaitMembers(2, LONG);
        bob.awaitMembers(2, LONG);
    }

    @AfterEach
    void end() throws Exception {
        hub.speaks(HostileHub.HONEST);
        for (var each : opened.reversed()) {
            each.close();
        }
        hub.close();
        den.close();
    }

    private Identity issued(String name, Role role) throws Exception {
        var file = folder.resolve(name);
        PoolAuthority.write(file, demo.issue(name, new Standing("demo", role, ""), MONTH));
        var root = folder.resolve("demo").resolve(PoolAuthority.CERTIFICATE);
        return Identity.stored(file)
                .trusting(Trust.read(List.of(root), List.of(file), Clock.TIME_OF_DAY));
    }

    private static Join to(HostileHub hub) {
        return Join.pool("demo").hub("127.0.0.1:" + hub.port()).limit(LONG);
    }

    private <T extends AutoCloseable> T keep(T one) {
        opened.add(one);
        return one;
    }

    private Node member(String name) throws Exception {
        return keep(Node.join(to(hub).identity(issued(name, Role.NODE))));
    }

    /// Somebody whom the authority does not know.
    private Node stranger() {
        return keep(Node.join(to(den)));
    }

    private ReceivePort in(Node node) {
        return keep(ReceivePort.open(node, TYPE, "in"));
    }

    private static Contact contact(Node of) {
        return of.contact(of.id()).orElseThrow();
    }

    private static Contact at(NodeId id, InetSocketAddress address) {
        return new Contact(id, List.of(address), Map.of());
    }

    private static int port(Contact of) {
        return of.addresses().getFirst().getPort();
    }

    /// What comes of an attempt to send something to whoever is taken for this node.
    private static Throwable attempt(Node from, NodeId to, Duration limit) {
        try (var out = SendPort.open(from, TYPE, "out")) {
            return catchThrowable(() -> {
                out.connect(to, "in", limit);
                say(out, "not for you");
            });
        }
    }

    private static void say(SendPort out, String word) {
        try (var message = out.newMessage()) {
            message.writeString(word);
            message.finish();
        }
    }

    private static void hears(ReceivePort in, String word) {
        try (var message = in.receive(LONG)) {
            assertThat(message).as("'%s', within a minute", word).isNotNull();
            assertThat(message.readString()).isEqualTo(word);
        }
    }

    /// Between those who belong there.
    private void goesOn() {
        try (var out = SendPort.open(alice, TYPE, "out")) {
            out.connect(bob.id(), "in", SOON);
            say(out, "hello");
            hears(atBob, "hello");
        }
    }

    private static void nothingCame(ReceivePort... ports) {
        for (var port : ports) {
            assertThat(port.messages()).as("messages at %s", port).isZero();
            assertThat(port.connections()).isEmpty();
        }
    }

    @Test
    void whom_it_calls_a_member_without_a_certificate_nobody_speaks_with() {
        var stranger = stranger();
        var atStranger = in(stranger);
        hub.names(contact(stranger));
        den.names(contact(alice));
        assertThat(alice.awaitMembers(3, SOON)).as("what it says").hasSize(3);
        assertThat(attempt(alice, stranger.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("is not trusted")
                .hasMessageContaining(STRANGE);
        assertThat(attempt(stranger, alice.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining(STRANGE);
        nothingCame(atStranger, atAlice);
        goesOn();
    }

    @Test
    void a_stranger_that_it_lets_win_an_election_has_won_nothing_with_it() {
        var stranger = stranger();
        var atStranger = in(stranger);
        var called = hub.names(contact(stranger));
        hub.speaks((to, reply) ->
                reply instanceof Reply.Settled(var call, Outcome.Elected _)
                        ? HostileHub.HONEST.instead(
                                to, new Reply.Settled(call, new Outcome.Elected(called, 1)))
                        : HostileHub.HONEST.instead(to, reply));
        var winner = alice.elections().elect("coordinator", SOON).winner();
        assertThat(winner.id()).as("what it says").isEqualTo(stranger.id());
        assertThat(attempt(alice, winner.id(), SOON)).hasMessageContaining(STRANGE);
        nothingCame(atStranger);
    }

    @Test
    void where_it_swaps_the_addresses_of_two_members_each_is_missed_by_name() throws Exception {
        var carol = member("carol");
        var atCarol = in(carol);
        alice.awaitMembers(3, SOON);
        hub.puts(bob.id(), new Contact(bob.id(), contact(carol).addresses(), Map.of()));
        hub.puts(carol.id(), new Contact(carol.id(), contact(bob).addresses(), Map.of()));
        assertThat(attempt(alice, bob.id(), SOON))
                .hasMessageContaining(
                        "proved to be node " + carol.id() + " instead of " + bob.id());
        assertThat(attempt(alice, carol.id(), SOON))
                .hasMessageContaining(
                        "proved to be node " + bob.id() + " instead of " + carol.id());
        nothingCame(atBob, atCarol);
    }

    @Test
    void where_it_hands_out_the_address_or_the_key_of_another_he_is_not_taken_for_the_member() {
        var stranger = stranger();
        var atStranger = in(stranger);
        hub.puts(bob.id(), new Contact(bob.id(), contact(stranger).addresses(), Map.of()));
        assertThat(attempt(alice, bob.id(), SOON))
                .hasMessageContaining("proved to be node " + stranger.id());
        var losses = losses(bob);
        hub.puts(alice.id(), contact(stranger)); // with his key
        assertThat(attempt(bob, alice.id(), Duration.ofSeconds(2)))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("did not say within 2000 ms how to reach");
        assertThat(losses)
                .anyMatch(why -> why.contains("asked how node " + alice.id().brief()));
        nothingCame(atStranger, atAlice, atBob);
    }

    /// The hub leads the connection through something of its own.
    @Test
    void what_it_leads_past_itself_it_neither_reads_nor_alters() throws Exception {
        try (var between = new Recorder(port(contact(bob)));
                var out = SendPort.open(alice, TYPE, "out")) {
            hub.puts(bob.id(), at(bob.id(), loopback(between.port())));
            out.connect(bob.id(), "in", SOON);
            say(out, "a secret word");
            hears(atBob, "a secret word");
            assertThat(between.size()).as("it went that way").isPositive();
            assertThat(between.heard("a secret word")).isFalse();
            var told = new ArrayList<String>();
            var lost =
                    catchThrowable(() -> {
                        for (long end = System.nanoTime() + LONG.toNanos();
                                System.nanoTime() < end; ) {
                            between.alter(true); // of the data, or of what else they say
                            say(out, "a secret word");
                            hearsOrTells(told);
                        }
                    });
            assertThat(lost).isInstanceOf(ConnectionLost.class);
            told.add(lost.getMessage());
            assertThat(told)
                    .anyMatch(why -> why.contains("was altered"))
                    .noneMatch(why -> why.contains("reset"));
        }
    }

    private void hearsOrTells(List<String> told) {
        try (var message = atBob.receive(Duration.ofSeconds(1))) {
            if (message != null) {
                assertThat(message.readString()).isEqualTo("a secret word");
            }
        } catch (IbidemException e) {
            told.add(e.getMessage());
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Both believe to have connected to bob.
    @Test
    void two_that_it_joins_to_each_other_find_out() throws Exception {
        var carol = member("carol");
        var atCarol = in(carol);
        try (var crossed = new Crossed()) {
            hub.puts(bob.id(), at(bob.id(), crossed.address()));
            CompletableFuture<Throwable> one =
                    Background.call(() -> attempt(alice, bob.id(), SOON));
            assertThat(attempt(carol, bob.id(), SOON))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("not as a handshake must be");
            assertThat(one.get())
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("not as a handshake must be");
        }
        nothingCame(atAlice, atBob, atCarol);
    }

    /// What a node has lost its hub for.
    private List<String> losses(Node of) {
        var all = new CopyOnWriteArrayList<String>();
        keep(
                of.events(event -> {
                    if (event instanceof PoolEvent.HubLost(var why)) {
                        all.add(why);
                    }
                }));
        return all;
    }

    private static PoolEvent.Change joined(NodeId somebody, int rank) {
        return new PoolEvent.Joined(
                new Member(somebody, rank, Location.parse("nowhere")));
    }

    @Test
    void what_it_leaves_out_repeats_or_says_later_is_noticed_and_it_is_asked_anew() {
        var ghost = Identity.create().id();
        var losses = losses(alice);
        var held = new ArrayList<byte[]>();
        List<HostileHub.Tongue> tongues =
                List.of(
                        (_, _) -> List.of(), // and then the next one
                        (_, reply) -> twice(ReplyCoding.encode(reply)),
                        (_, reply) -> later(held, ReplyCoding.encode(reply)));
        for (var tongue : tongues) {
            int before = losses.size();
            hub.speaks((to, reply) ->
                    reply instanceof Reply.Events
                            ? tongue.instead(to, reply)
                            : HostileHub.HONEST.instead(to, reply));
            hub.changes(alice.id(), joined(ghost, 7));
            hub.changes(alice.id(), joined(Identity.create().id(), 8));
            hub.speaks(HostileHub.HONEST);
            hub.changes(alice.id(), joined(Identity.create().id(), 9));
            eventually("alice has noticed", () -> losses.size() > before);
            assertThat(losses.getLast()).contains("the hub told changes after number ");
            alice.elections().elect("it is back", SOON);
        }
        hub.drops(alice.id());
        alice.elections().elect("it is back again", SOON);
        assertThat(alice.members()).as("as the hub says now").hasSize(2);
        goesOn();
    }

    @Test
    void a_goodbye_that_nobody_has_asked_for_is_none() {
        var losses = losses(alice);
        hub.tells(alice.id(), new Reply.Bye());
        eventually("alice has noticed", () -> !losses.isEmpty());
        assertThat(losses.getFirst()).contains("garbage: not expected now: Bye");
        alice.elections().elect("it is back", SOON);
        goesOn();
    }

    private static List<byte[]> twice(byte[] message) {
        return List.of(message, message);
    }

    /// One is held back until the next, and comes behind it.
    private static List<byte[]> later(List<byte[]> held, byte[] message) {
        held.addFirst(message);
        return held.size() < 2 ? List.of() : List.copyOf(held);
    }

    @Test
    void answers_that_it_keeps_to_itself_end_with_what_was_waited_for() {
        hub.speaks((to, reply) ->
                reply instanceof Reply.Found || reply instanceof Reply.Settled
                        ? List.of()
                        : HostileHub.HONEST.instead(to, reply));
        assertThat(attempt(alice, bob.id(), BRIEF))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("did not say within 300 ms how to reach node");
        assertThatThrownBy(() -> alice.elections().elect("nobody", BRIEF))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("has not answered within 300 ms");
        hub.speaks((_, _) -> List.of());
        assertThatThrownBy(() ->
                        Node.join(to(hub).identity(issued("dora", Role.NODE)).limit(BRIEF)))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("hub 127.0.0.1:" + hub.port());
    }

    /// A bit of each message, and bytes that mean nothing. Data that flow never notice.
    @Test
    void what_it_garbles_is_taken_for_no_failure_of_the_line_and_data_go_on() {
        var losses = losses(alice);
        var random = new Random(31);
        try (var out = SendPort.open(alice, TYPE, "out")) {
            out.connect(bob.id(), "in", SOON);
            for (int i = 0; i < FLIPS; i++) {
                int turn = i;
                hub.speaks((to, reply) ->
                        reply instanceof Reply.Events
                                ? List.of(garbled(ReplyCoding.encode(reply), random, turn))
                                : HostileHub.HONEST.instead(to, reply));
                hub.changes(alice.id(), joined(Identity.create().id(), 9));
                hub.speaks(HostileHub.HONEST);
                say(out, "word " + i);
                hears(atBob, "word " + i);
                alice.elections().elect("turn " + i, SOON); // over this connection or the next
            }
        }
        assertThat(losses)
                .isNotEmpty()
                .allMatch(why -> why.contains("garbage") || why.contains("told changes after"));
        goesOn();
    }

    private static byte[] garbled(byte[] message, Random random, int turn) {
        if (turn % 3 == 0) {
            var noise = new byte[1 + random.nextInt(200)];
            random.nextBytes(noise);
            noise[0] = message[0];
            return noise;
        }
        message[1 + random.nextInt(message.length - 1)] ^= (byte) (1 << random.nextInt(8));
        return message;
    }

    /// Who was shown to one is nobody to the other; and both may be told to be the only winner.
    @Test
    void a_view_that_is_forked_lets_nobody_in() throws Exception {
        var stranger = stranger();
        var atStranger = in(stranger);
        hub.shows((viewer, _) -> viewer.equals(alice.id()) || viewer.equals(bob.id()));
        hub.names(contact(stranger));
        var carol = keep(Node.join(to(hub).identity(issued("carol", Role.NODE)).limit(SOON)));
        assertThat(carol.members()).as("it is alone, the hub says").isEmpty();
        assertThat(alice.awaitMembers(4, SOON)).hasSize(4);
        assertThat(attempt(carol, alice.id(), SOON)).isInstanceOf(IbidemException.class);
        assertThat(attempt(alice, stranger.id(), SOON)).hasMessageContaining(STRANGE);
        nothingCame(atStranger, atAlice);
        goesOn();
    }

    @Test
    void old_membership_that_it_serves_again_leads_to_nobody() throws Exception {
        var carol = member("carol");
        in(carol);
        alice.awaitMembers(3, SOON);
        var old = hub.snapshot(alice.id());
        var was = contact(carol);
        carol.close();
        eventually("carol has left", () -> alice.members().size() == 2);
        hub.tells(alice.id(), old);
        hub.puts(carol.id(), was);
        assertThat(alice.awaitMembers(3, SOON)).as("what it says").hasSize(3);
        assertThat(attempt(alice, carol.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("refused");
    }

    @Test
    void a_rank_that_it_gives_to_another_ends_the_membership_and_the_node_says_so() {
        hub.speaks((to, reply) ->
                reply instanceof Reply.Welcome(var version, var epoch, var number, var rank, _, _)
                        ? HostileHub.HONEST.instead(
                                to,
                                new Reply.Welcome(version, epoch, number, rank + 1, 0, ""))
                        : HostileHub.HONEST.instead(to, reply));
        hub.drops(alice.id());
        assertThatThrownBy(() -> alice.elections().elect("who am I", SOON))
                .isInstanceOf(Departed.class)
                .hasMessageContaining("the hub gave rank 0 to another node");
    }

    /// Signed by another authority of the same name.
    @Test
    void a_list_of_revoked_certificates_that_it_has_made_up_revokes_nobody() {
        var other = PoolAuthority.create(folder.resolve("other"), "demo", new char[0], MONTH);
        var forged = other.revoke(demo.numbers("bob"), MONTH);
        try (var log = new Logged("org.ibidem.registry.uplink.Revoked")) {
            hub.tells(alice.id(), new Reply.Revoked(forged.bytes()));
            eventually(
                    "it is complained of",
                    () ->
                            log.lines().stream()
                                    .anyMatch(line ->
                                            line.contains("no authority known here has signed")));
        }
        goesOn();
        assertThat(alice.member(bob.id())).isNotEqualTo(Optional.empty());
    }
}
