package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.authority.Circle.LONG;
import static org.ibidem.authority.Circle.SOON;
import static org.ibidem.authority.Circle.TYPE;
import static org.ibidem.authority.Circle.at;
import static org.ibidem.authority.Circle.attempt;
import static org.ibidem.authority.Circle.contact;
import static org.ibidem.authority.Circle.hears;
import static org.ibidem.authority.Circle.nothingCame;
import static org.ibidem.authority.Circle.say;
import static org.ibidem.authority.Circle.to;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.IbidemException;
import org.ibidem.connect.Unreachable;
import org.ibidem.port.ConnectionLost;
import org.ibidem.port.SendPort;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Node;
import org.ibidem.registry.wire.Outcome;
import org.ibidem.registry.wire.Reply;
import org.ibidem.topology.Contact;
import org.ibidem.trust.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A hub that has its certificate and lies of who is there and where: it may say of everybody that
/// he is a member, of nobody, and anything of addresses. Whom the authority has not let in reads
/// nothing and writes nothing all the same, and nodes say why.
@Timeout(120)
@Tag("slow")
class HostileHubTest {
    private static final String STRANGE = "it shows no certificate";

    @TempDir Path folder;

    private Circle circle;

    @BeforeEach
    void begin() throws Exception {
        circle = new Circle(folder);
    }

    @AfterEach
    void end() throws Exception {
        circle.close();
    }

    @Test
    void whom_it_calls_a_member_without_a_certificate_nobody_speaks_with() {
        var stranger = circle.stranger();
        var atStranger = circle.in(stranger);
        circle.hub.names(contact(stranger));
        circle.den.names(contact(circle.alice));
        assertThat(circle.alice.awaitMembers(3, SOON)).as("what it says").hasSize(3);
        assertThat(attempt(circle.alice, stranger.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("is not trusted")
                .hasMessageContaining(STRANGE);
        assertThat(attempt(stranger, circle.alice.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining(STRANGE);
        nothingCame(atStranger, circle.atAlice);
        circle.goesOn();
    }

    @Test
    void a_stranger_that_it_lets_win_an_election_has_won_nothing_with_it() {
        var stranger = circle.stranger();
        var atStranger = circle.in(stranger);
        var called = circle.hub.names(contact(stranger));
        circle.hub.speaks((to, reply) ->
                reply instanceof Reply.Settled(var call, Outcome.Elected _)
                        ? HostileHub.HONEST.instead(
                                to, new Reply.Settled(call, new Outcome.Elected(called, 1)))
                        : HostileHub.HONEST.instead(to, reply));
        var winner = circle.alice.elections().elect("coordinator", SOON).winner();
        assertThat(winner.id()).as("what it says").isEqualTo(stranger.id());
        assertThat(attempt(circle.alice, winner.id(), SOON)).hasMessageContaining(STRANGE);
        nothingCame(atStranger);
    }

    @Test
    void where_it_swaps_the_addresses_of_two_members_each_is_missed_by_name() throws Exception {
        var carol = circle.member("carol");
        var atCarol = circle.in(carol);
        circle.alice.awaitMembers(3, SOON);
        circle.hub.puts(
                circle.bob.id(),
                new Contact(circle.bob.id(), contact(carol).addresses(), Map.of()));
        circle.hub.puts(
                carol.id(), new Contact(carol.id(), contact(circle.bob).addresses(), Map.of()));
        assertThat(attempt(circle.alice, circle.bob.id(), SOON))
                .hasMessageContaining(
                        "proved to be node " + carol.id() + " instead of " + circle.bob.id());
        assertThat(attempt(circle.alice, carol.id(), SOON))
                .hasMessageContaining(
                        "proved to be node " + circle.bob.id() + " instead of " + carol.id());
        nothingCame(circle.atBob, atCarol);
    }

    @Test
    void where_it_hands_out_the_address_or_the_key_of_another_he_is_not_taken_for_the_member() {
        var stranger = circle.stranger();
        var atStranger = circle.in(stranger);
        circle.hub.puts(
                circle.bob.id(),
                new Contact(circle.bob.id(), contact(stranger).addresses(), Map.of()));
        assertThat(attempt(circle.alice, circle.bob.id(), SOON))
                .hasMessageContaining("proved to be node " + stranger.id());
        var losses = circle.losses(circle.bob);
        circle.hub.puts(circle.alice.id(), contact(stranger)); // with his key
        assertThat(attempt(circle.bob, circle.alice.id(), Duration.ofSeconds(2)))
                .isInstanceOf(Unreachable.class)
                .hasCauseInstanceOf(HubUnreachable.class)
                .hasMessageContaining("how to reach node " + circle.alice.id().brief());
        assertThat(losses)
                .anyMatch(why -> why.contains("asked how node " + circle.alice.id().brief()));
        nothingCame(atStranger, circle.atAlice, circle.atBob);
    }

    /// The hub leads the connection through something of its own.
    @Test
    void what_it_leads_past_itself_it_neither_reads_nor_alters() throws Exception {
        try (var between = new Recorder(port(circle.bob));
                var out = SendPort.open(circle.alice, TYPE, "out")) {
            circle.hub.puts(circle.bob.id(), at(circle.bob.id(), loopback(between.port())));
            out.connect(circle.bob.id(), "in", SOON);
            say(out, "a secret word");
            hears(circle.atBob, "a secret word");
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
        try (var message = circle.atBob.receive(Duration.ofSeconds(1))) {
            if (message != null) {
                assertThat(message.readString()).isEqualTo("a secret word");
            }
        } catch (IbidemException e) {
            told.add(e.getMessage());
        }
    }

    private static int port(Node of) {
        return contact(of).addresses().getFirst().getPort();
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Both believe to have connected to bob.
    @Test
    void two_that_it_joins_to_each_other_find_out() throws Exception {
        var carol = circle.member("carol");
        var atCarol = circle.in(carol);
        try (var crossed = new Crossed()) {
            circle.hub.puts(circle.bob.id(), at(circle.bob.id(), crossed.address()));
            CompletableFuture<Throwable> one =
                    Background.call(() -> attempt(circle.alice, circle.bob.id(), SOON));
            assertThat(attempt(carol, circle.bob.id(), SOON))
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("not as a handshake must be");
            assertThat(one.get())
                    .isInstanceOf(IbidemException.class)
                    .hasMessageContaining("not as a handshake must be");
        }
        nothingCame(circle.atAlice, circle.atBob, atCarol);
    }

    /// Who was shown to one is nobody to the other; and both may be told to be the only winner.
    @Test
    void a_view_that_is_forked_lets_nobody_in() throws Exception {
        var stranger = circle.stranger();
        var atStranger = circle.in(stranger);
        circle.hub.shows(
                (viewer, _) -> viewer.equals(circle.alice.id()) || viewer.equals(circle.bob.id()));
        circle.hub.names(contact(stranger));
        var carol =
                circle.keep(
                        Node.join(
                                to(circle.hub)
                                        .identity(circle.issued("carol", Role.NODE))
                                        .limit(SOON)));
        assertThat(carol.members()).as("it is alone, the hub says").isEmpty();
        assertThat(circle.alice.awaitMembers(4, SOON)).hasSize(4);
        assertThat(attempt(carol, circle.alice.id(), SOON)).isInstanceOf(IbidemException.class);
        assertThat(attempt(circle.alice, stranger.id(), SOON)).hasMessageContaining(STRANGE);
        nothingCame(atStranger, circle.atAlice);
        circle.goesOn();
    }

    @Test
    void old_membership_that_it_serves_again_leads_to_nobody() throws Exception {
        var carol = circle.member("carol");
        circle.in(carol);
        circle.alice.awaitMembers(3, SOON);
        var old = circle.hub.snapshot(circle.alice.id());
        var was = contact(carol);
        carol.close();
        eventually("carol has left", () -> circle.alice.members().size() == 2);
        circle.hub.tells(circle.alice.id(), old);
        circle.hub.puts(carol.id(), was);
        assertThat(circle.alice.awaitMembers(3, SOON)).as("what it says").hasSize(3);
        assertThat(attempt(circle.alice, carol.id(), SOON))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("refused");
    }
}
