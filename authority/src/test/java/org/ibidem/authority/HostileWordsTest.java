package org.ibidem.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.authority.Circle.MONTH;
import static org.ibidem.authority.Circle.SOON;
import static org.ibidem.authority.Circle.TYPE;
import static org.ibidem.authority.Circle.attempt;
import static org.ibidem.authority.Circle.hears;
import static org.ibidem.authority.Circle.say;
import static org.ibidem.authority.Circle.to;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ibidem.IbidemException;
import org.ibidem.Logged;
import org.ibidem.connect.Unreachable;
import org.ibidem.identity.Identity;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.topology.Location;
import org.ibidem.topology.NodeId;
import org.ibidem.trust.Role;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A hub that has its certificate and says what makes no sense, or says it at the wrong time, twice
/// or not at all. Nodes notice, say what, and go on with each other.
@Timeout(120)
@Tag("slow")
class HostileWordsTest {
    private static final Duration BRIEF = Duration.ofMillis(300);
    private static final int FLIPS = 30;

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
    void what_it_leaves_out_repeats_or_says_later_is_noticed_and_it_is_asked_anew() {
        var ghost = Identity.create().id();
        var losses = circle.losses(circle.alice);
        var held = new ArrayList<byte[]>();
        List<HostileHub.Tongue> tongues =
                List.of(
                        (_, _) -> List.of(), // and then the next one
                        (_, reply) -> twice(ReplyCoding.encode(reply)),
                        (_, reply) -> later(held, ReplyCoding.encode(reply)));
        for (var tongue : tongues) {
            int before = losses.size();
            circle.hub.speaks((to, reply) ->
                    reply instanceof Reply.Events
                            ? tongue.instead(to, reply)
                            : HostileHub.HONEST.instead(to, reply));
            circle.hub.changes(circle.alice.id(), joined(ghost, 7));
            circle.hub.changes(circle.alice.id(), joined(Identity.create().id(), 8));
            circle.hub.speaks(HostileHub.HONEST);
            circle.hub.changes(circle.alice.id(), joined(Identity.create().id(), 9));
            eventually("alice has noticed", () -> losses.size() > before);
            assertThat(losses.getLast()).contains("the hub told changes after number ");
            circle.alice.elections().elect("it is back", SOON);
        }
        circle.hub.drops(circle.alice.id());
        circle.alice.elections().elect("it is back again", SOON);
        assertThat(circle.alice.members()).as("as the hub says now").hasSize(2);
        circle.goesOn();
    }

    private static List<byte[]> twice(byte[] message) {
        return List.of(message, message);
    }

    /// One is held back until the next, and comes behind it.
    private static List<byte[]> later(List<byte[]> held, byte[] message) {
        held.addFirst(message);
        return held.size() < 2 ? List.of() : List.copyOf(held);
    }

    private static PoolEvent.Change joined(NodeId somebody, int rank) {
        return new PoolEvent.Joined(new Member(somebody, rank, Location.parse("nowhere")));
    }

    @Test
    void a_goodbye_that_nobody_has_asked_for_is_none() {
        var losses = circle.losses(circle.alice);
        circle.hub.tells(circle.alice.id(), new Reply.Bye());
        eventually("alice has noticed", () -> !losses.isEmpty());
        assertThat(losses.getFirst()).contains("garbage: not expected now: Bye");
        circle.alice.elections().elect("it is back", SOON);
        circle.goesOn();
    }

    @Test
    void answers_that_it_keeps_to_itself_end_with_what_was_waited_for() {
        circle.hub.speaks((to, reply) ->
                reply instanceof Reply.Found || reply instanceof Reply.Settled
                        ? List.of()
                        : HostileHub.HONEST.instead(to, reply));
        assertThat(attempt(circle.alice, circle.bob.id(), BRIEF))
                .isInstanceOf(Unreachable.class)
                .hasCauseInstanceOf(HubUnreachable.class)
                .hasMessageContaining("how to reach node " + circle.bob.id().brief());
        assertThatThrownBy(() -> circle.alice.elections().elect("nobody", BRIEF))
                .isInstanceOf(HubUnreachable.class)
                .hasMessageContaining("has not answered within ");
        circle.hub.speaks((_, _) -> List.of());
        assertThatThrownBy(() ->
                        Node.join(
                                to(circle.hub)
                                        .identity(circle.issued("dora", Role.NODE))
                                        .limit(BRIEF)))
                .isInstanceOf(IbidemException.class)
                .hasMessageContaining("hub 127.0.0.1:" + circle.hub.port());
    }

    /// A bit of each message, and bytes that mean nothing. Data that flow never notice.
    @Test
    void what_it_garbles_is_taken_for_no_failure_of_the_line_and_data_go_on() {
        var losses = circle.losses(circle.alice);
        var random = new Random(31);
        try (var out = SendPort.open(circle.alice, TYPE, "out")) {
            out.connect(circle.bob.id(), "in", SOON);
            for (int i = 0; i < FLIPS; i++) {
                int turn = i;
                circle.hub.speaks((to, reply) ->
                        reply instanceof Reply.Events
                                ? List.of(garbled(ReplyCoding.encode(reply), random, turn))
                                : HostileHub.HONEST.instead(to, reply));
                circle.hub.changes(circle.alice.id(), joined(Identity.create().id(), 9));
                circle.hub.speaks(HostileHub.HONEST);
                say(out, "word " + i);
                hears(circle.atBob, "word " + i);
                circle.alice
                        .elections()
                        .elect("turn " + i, SOON); // over this connection or the next
            }
        }
        assertThat(losses)
                .isNotEmpty()
                .allMatch(why -> why.contains("garbage") || why.contains("told changes after"));
        circle.goesOn();
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

    @Test
    void a_rank_that_it_gives_to_another_ends_the_membership_and_the_node_says_so() {
        circle.hub.speaks((to, reply) ->
                reply instanceof Reply.Welcome(var version, var epoch, var number, var rank, _, _)
                        ? HostileHub.HONEST.instead(
                                to, new Reply.Welcome(version, epoch, number, rank + 1, 0, ""))
                        : HostileHub.HONEST.instead(to, reply));
        circle.hub.drops(circle.alice.id());
        assertThatThrownBy(() -> circle.alice.elections().elect("who am I", SOON))
                .isInstanceOf(Departed.class)
                .hasMessageContaining("the hub gave rank 0 to another node");
    }

    /// Signed by another authority of the same name.
    @Test
    void a_list_of_revoked_certificates_that_it_has_made_up_revokes_nobody() {
        var other = PoolAuthority.create(folder.resolve("other"), "demo", new char[0], MONTH);
        var forged = other.revoke(circle.demo.numbers("bob"), MONTH);
        try (var log = new Logged("org.ibidem.registry.uplink.Revoked")) {
            circle.hub.tells(circle.alice.id(), new Reply.Revoked(forged.bytes()));
            eventually(
                    "it is complained of",
                    () ->
                            log.lines().stream()
                                    .anyMatch(line ->
                                            line.contains("no authority known here has signed")));
        }
        circle.goesOn();
        assertThat(circle.alice.member(circle.bob.id())).isNotEqualTo(Optional.empty());
    }
}
