package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.ibidem.Eventually.eventually;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.HandshakeMessages.Versions;
import org.ibidem.identity.Identity;
import org.ibidem.identity.Shown;
import org.ibidem.link.Lower;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("test", clock);
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private final Handshake byAlice = new Handshake(alice, threads, Handshake.LIMIT);
    private final Handshake byBob = new Handshake(bob, threads, Handshake.LIMIT);
    private Wire.Sockets wire;
    private SocketPath near;
    private SocketPath far;

    @BeforeEach
    void connect() throws IOException {
        wire = Wire.sockets();
        near = new SocketPath(wire.client());
        far = new SocketPath(wire.server());
    }

    @AfterEach
    void close() throws IOException {
        wire.client().close();
        wire.server().close();
        threads.close();
    }

    /// What came of both ends.
    record Outcome(Object client, Object server) {}

    private Outcome shake(Handshake client, Hello hello, Handshake server, Admission admission) {
        var there = Background.outcome(() -> server.respond(far, admission));
        var here = Background.outcome(() -> client.initiate(near, hello));
        return new Outcome(here.join(), there.join());
    }

    private Outcome shake(Hello hello, Admission admission) {
        return shake(byAlice, hello, byBob, admission);
    }

    @Test
    void both_ends_know_who_the_other_is_and_what_is_wanted() throws IOException {
        var hello =
                Hello.data(
                        "demo",
                        bob.id(),
                        "fragment(size=8k) > tcp",
                        "0123456789abcdef0123456789abcdef");
        var outcome = shake(hello, Admission.ALL);
        var client = (Proved) outcome.client();
        var server = (Proved) outcome.server();
        assertThat(client.said())
                .isEqualTo(server.said())
                .hasSize(Lower.SAID)
                .isNotEqualTo(new byte[Lower.SAID]);
        assertThat(client)
                .isEqualTo(new Proved(near, bob.key(), hello, 2, true, "", "", client.said()));
        assertThat(server)
                .isEqualTo(new Proved(far, alice.key(), hello, 2, false, "", "", server.said()));
        eventually("no time limit goes on", () -> threads.size() == 0);
        wire.client().write(ByteBuffer.wrap(new byte[] {7}));
        var one = ByteBuffer.allocate(10);
        assertThat(wire.server().read(one)).isEqualTo(1);
        assertThat(one.get(0)).isEqualTo((byte) 7);
    }

    @Test
    void who_has_only_an_address_learns_who_is_there() {
        var outcome = shake(Hello.bootstrap("demo", null), Admission.ALL);
        assertThat(((Proved) outcome.client()).peer()).isEqualTo(bob.id());
    }

    @Test
    void what_was_not_finished_never_happened_at_the_other_end() throws IOException {
        var there = Background.outcome(() -> byBob.respond(far, Admission.ALL));
        var opening = byAlice.begin(near, Hello.service("demo", bob.id()));
        assertThat(opening.peer()).isEqualTo(bob.key());
        wire.client().close();
        assertThat(there.join()).isInstanceOf(HandshakeBroken.class);
    }

    @Test
    void a_refusal_reaches_the_peer_with_its_code_and_words() {
        var outcome =
                shake(
                        Hello.bootstrap("demo", null),
                        (_, hello) ->
                                new Admission.Refused(
                                        Refusal.POOL,
                                        "there is no pool '" + hello.pool() + "' here"));
        assertThat(outcome.client())
                .isInstanceOfSatisfying(
                        HandshakeRefused.class,
                        e -> {
                            assertThat(e.refusal()).isEqualTo(Refusal.POOL);
                            assertThat(e.reason()).isEqualTo("there is no pool 'demo' here");
                            assertThat(e)
                                    .hasMessage(
                                            "refused by the peer (POOL): there is no pool 'demo' here");
                        });
        assertThat(outcome.server()).isInstanceOf(HandshakeRefused.class);
        assertThat(wire.client().isOpen()).isFalse();
        assertThat(wire.server().isOpen()).isFalse();
    }

    @Test
    void every_refusal_has_its_own_code_that_comes_back() {
        for (var refusal : Refusal.values()) {
            assertThat(Refusal.of(refusal.code())).isEqualTo(refusal);
            assertThat(refusal.code()).isBetween(1, 255);
        }
        assertThat(Refusal.of(200)).isEqualTo(Refusal.OTHER);
    }

    @Test
    void a_long_reason_is_cut_between_characters() {
        var outcome =
                shake(
                        Hello.bootstrap("demo", null),
                        (_, _) ->
                                new Admission.Refused(Refusal.OTHER, "€".repeat(1000) + "\ud800"));
        assertThat(((HandshakeRefused) outcome.client()).reason()).isEqualTo("€".repeat(85));
    }

    @Test
    void somebody_else_at_the_address_is_named() {
        var carol = Identity.create();
        var outcome = shake(Hello.service("demo", carol.id()), Admission.ALL);
        assertThat(outcome.client())
                .isInstanceOf(WrongNode.class)
                .hasToString(
                        "org.ibidem.handshake.WrongNode: proved to be node "
                                + bob.id()
                                + " instead of "
                                + carol.id());
        assertThat(((HandshakeRefused) outcome.server()).refusal()).isEqualTo(Refusal.WRONG_NODE);
    }

    @Test
    void a_connection_to_oneself_is_refused() {
        var outcome = shake(byAlice, Hello.bootstrap("demo", null), byAlice, Admission.ALL);
        assertThat(outcome.client()).isInstanceOf(SelfConnection.class);
        assertThat(((HandshakeRefused) outcome.server()).refusal()).isEqualTo(Refusal.SELF);
    }

    @Test
    void a_socket_that_is_connected_to_itself_is_refused() {
        var echo =
                Background.outcome(() -> {
                    var bytes = ByteBuffer.allocate(4096);
                    while (wire.server().read(bytes.clear()) >= 0) {
                        wire.server().write(bytes.flip());
                    }
                    return "ended";
                });
        var failure = catchThrowable(() -> byAlice.initiate(near, Hello.bootstrap("demo", null)));
        assertThat(failure).isInstanceOf(SelfConnection.class);
        assertThat(echo.join()).isEqualTo("ended");
    }

    @Test
    void without_a_common_version_both_say_so() {
        var newer = new Handshake(bob, threads, Handshake.LIMIT, new Versions(3, 4));
        var outcome = shake(byAlice, Hello.bootstrap("demo", null), newer, Admission.ALL);
        assertThat(outcome.client())
                .isInstanceOf(VersionMismatch.class)
                .asString()
                .contains("the peer speaks version 3 to 4 of the protocol, we speak 2");
        assertThat(outcome.server())
                .isInstanceOf(VersionMismatch.class)
                .asString()
                .contains("the peer speaks version 2 of the protocol, we speak 3 to 4");
    }

    @Test
    void the_highest_common_version_is_spoken() {
        var newer = new Handshake(bob, threads, Handshake.LIMIT, new Versions(1, 7));
        var between = new Handshake(alice, threads, Handshake.LIMIT, new Versions(1, 4));
        var outcome = shake(between, Hello.bootstrap("demo", null), newer, Admission.ALL);
        assertThat(((Proved) outcome.client()).version()).isEqualTo(4);
        assertThat(((Proved) outcome.server()).version()).isEqualTo(4);
    }

    @Test
    void a_purpose_from_the_future_is_refused_not_garbled() throws IOException {
        var hello =
                HandshakeMessages.hello(
                        Versions.OURS,
                        new HandshakeMessages.Nonced(
                                alice.key(),
                                new byte[HandshakeMessages.NONCE_BYTES],
                                Shown.NOTHING),
                        Hello.bootstrap("demo", null));
        hello[HandshakeMessages.PREFIX_BYTES + HandshakeMessages.LENGTH_BYTES] = 99;
        wire.client().write(ByteBuffer.wrap(hello));
        wire.client().shutdownOutput();
        var failure = catchThrowable(() -> byBob.respond(far, Admission.ALL));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        HandshakeRefused.class,
                        e -> assertThat(e.refusal()).isEqualTo(Refusal.PURPOSE));
    }

    @Test
    void another_protocol_is_called_what_it_is() throws IOException {
        wire.client()
                .write(
                        ByteBuffer.wrap(
                                "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
        var failure = catchThrowable(() -> byBob.respond(far, Admission.ALL));
        assertThat(failure)
                .isInstanceOf(HandshakeGarbled.class)
                .hasMessage("no Ibidem there: the first bytes are 'GET ', not 'IBDM'");
        assertThat(wire.server().isOpen()).isFalse();
    }

    @Test
    void an_absurd_length_is_refused_before_it_is_read() throws IOException {
        wire.client().write(ByteBuffer.wrap(new byte[] {'I', 'B', 'D', 'M', 2, 0, 2, 0, -1, -1}));
        var failure = catchThrowable(() -> byBob.respond(far, Admission.ALL));
        assertThat(failure)
                .isInstanceOf(HandshakeGarbled.class)
                .hasMessageContaining("a HELLO of 65535 bytes");
    }

    @Test
    void half_a_message_says_how_much_came() throws IOException {
        wire.client().write(ByteBuffer.wrap(new byte[] {'I', 'B', 'D'}));
        wire.client().shutdownOutput();
        var failure = catchThrowable(() -> byBob.respond(far, Admission.ALL));
        assertThat(failure)
                .isInstanceOf(HandshakeBroken.class)
                .hasMessageContaining("3 of 8 bytes came");
    }

    @Test
    void who_dribbles_is_cut_off_when_the_time_is_over() throws IOException {
        var there = Background.outcome(() -> byBob.respond(far, Admission.ALL));
        eventually("the time limit runs", () -> threads.size() == 1);
        var hello =
                HandshakeMessages.hello(
                        Versions.OURS,
                        new HandshakeMessages.Nonced(
                                alice.key(),
                                new byte[HandshakeMessages.NONCE_BYTES],
                                Shown.NOTHING),
                        Hello.bootstrap("demo", null));
        for (int i = 0; i < 9; i++) {
            wire.client().write(ByteBuffer.wrap(hello, i, 1));
            clock.advance(Duration.ofSeconds(1));
            assertThat(there).isNotDone();
        }
        clock.advance(Duration.ofSeconds(1));
        assertThat(there.join())
                .isInstanceOf(HandshakeTimeout.class)
                .asString()
                .contains("did not finish the handshake in time");
        assertThat(wire.server().isOpen()).isFalse();
    }

    @Test
    void the_one_who_connects_has_a_time_limit_too() {
        var here = Background.outcome(() -> byAlice.initiate(near, Hello.bootstrap("demo", null)));
        eventually("the time limit runs", () -> threads.size() == 1);
        clock.advance(Handshake.LIMIT);
        assertThat(here.join()).isInstanceOf(HandshakeTimeout.class);
    }

    @Test
    void admission_is_asked_once_and_only_for_what_is_known() {
        var asked = new AtomicInteger();
        Admission counting =
                (_, _) -> {
                    asked.incrementAndGet();
                    return new Admission.Welcome();
                };
        shake(Hello.service("demo", Identity.create().id()), counting);
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_recorded_conversation_cannot_be_played_again() throws IOException {
        var hello = Hello.bootstrap("demo", null);
        var nonce = new byte[HandshakeMessages.NONCE_BYTES];
        var recordedHello =
                HandshakeMessages.hello(
                        Versions.OURS,
                        new HandshakeMessages.Nonced(alice.key(), nonce, Shown.NOTHING),
                        hello);
        var oldReply =
                HandshakeMessages.unsignedReply(
                        Versions.OURS,
                        new HandshakeMessages.Nonced(bob.key(), nonce, Shown.NOTHING),
                        0,
                        "");
        var recordedReply =
                HandshakeMessages.join(
                        oldReply, bob.sign(HandshakeMessages.RESPONDER, recordedHello, oldReply));
        var recordedProof = alice.sign(HandshakeMessages.INITIATOR, recordedHello, recordedReply);
        wire.client().write(ByteBuffer.wrap(HandshakeMessages.join(recordedHello, recordedProof)));
        var failure = catchThrowable(() -> byBob.respond(far, Admission.ALL));
        assertThat(failure).isInstanceOf(BadProof.class);
    }

    @Test
    void names_that_are_too_long_are_refused_before_anything_is_sent() {
        assertThat(catchThrowable(() -> Hello.bootstrap("é".repeat(33), null)))
                .hasMessageContaining("the name of a pool has at most 64 bytes, not 66");
    }
}
