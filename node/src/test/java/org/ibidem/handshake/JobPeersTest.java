package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.ibidem.Background;
import org.ibidem.arbitration.Threads;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.SocketPath;
import org.ibidem.handshake.HandshakeMessages.Versions;
import org.ibidem.identity.Identity;
import org.ibidem.identity.Shown;
import org.ibidem.link.Catalog;
import org.ibidem.link.StreamPath;
import org.ibidem.trust.JobKey;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Nodes that have joined a hub with the key of its job deal with nobody who has not.
class JobPeersTest {
    private static final JobKey KEY = JobKey.create();
    private static final String LINK = "0123456789abcdef0123456789abcdef";

    private final Threads threads = new Threads("test");
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private Wire.Sockets wire;

    @BeforeEach
    void connect() throws IOException {
        wire = Wire.sockets();
    }

    @AfterEach
    void close() throws IOException {
        wire.client().close();
        wire.server().close();
        threads.close();
    }

    private Handshake handshake(Identity who, @Nullable JobKey key) {
        var vetting = new Vetting(Trust.NONE, Declarations.NONE, Catalog.NONE, key);
        return new Handshake(who, threads, Handshake.LIMIT, vetting);
    }

    private record Outcome(Object client, Object server) {}

    private static CompletableFuture<Object> outcome(Callable<Object> body) {
        return Background.call(body).handle((done, failed) -> failed == null ? done : failed);
    }

    private Outcome shake(@Nullable JobKey client, Hello hello, @Nullable JobKey server) {
        var far = new SocketPath(wire.server());
        var near = new SocketPath(wire.client());
        var there = outcome(() -> handshake(bob, server).respond(far, Admission.ALL));
        var here = outcome(() -> handshake(alice, client).initiate(near, hello));
        return new Outcome(here.join(), there.join());
    }

    static Stream<Hello> hellos() {
        var peer = Identity.create().id(); // in whose place the tests put another
        return Stream.of(
                Hello.service("demo", peer),
                Hello.trial("demo", peer),
                Hello.shared("demo", peer),
                Hello.data("demo", peer, "tcp", LINK));
    }

    private Hello toBob(Hello hello) {
        return new Hello(hello.purpose(), hello.pool(), bob.id(), hello.stack(), hello.token());
    }

    @ParameterizedTest
    @MethodSource("hellos")
    void who_has_the_key_is_let_in_and_its_name_is_not_said(Hello hello) {
        var outcome = shake(KEY, toBob(hello), KEY);
        assertThat(outcome.client).isInstanceOf(Proved.class);
        assertThat(outcome.server).isInstanceOf(Proved.class);
        assertThat(((Proved) outcome.server).hello()).isEqualTo(toBob(hello));
    }

    @ParameterizedTest
    @MethodSource("hellos")
    void who_has_none_or_another_is_not(Hello hello) {
        for (var his : new JobKey[] {null, JobKey.create()}) {
            var outcome = shake(his, toBob(hello), KEY);
            assertThat(outcome.client).isInstanceOf(BadProof.class);
            assertThat(outcome.server).isInstanceOf(HandshakeDropped.class);
            renew();
        }
    }

    private void renew() {
        try {
            wire.client().close();
            wire.server().close();
            connect();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void who_answers_in_a_members_place_without_the_key_is_found_out() {
        var outcome = shake(KEY, toBob(Hello.service("demo", bob.id())), null);
        assertThat(outcome.client)
                .isInstanceOf(BadProof.class)
                .asString()
                .contains("does not prove to have the job's key: it is of no job");
        assertThat(outcome.server).isInstanceOf(HandshakeDropped.class);
    }

    /// He does not look at what the member has signed, and signs what he can.
    @Test
    void who_goes_on_without_the_key_all_the_same_gets_nowhere() throws IOException {
        var far = new SocketPath(wire.server());
        var there = outcome(() -> handshake(bob, KEY).respond(far, Admission.ALL));
        StreamPath near = new SocketPath(wire.client());
        var exchange = new Exchange(near.words(), threads, Handshake.LIMIT);
        var me = new HandshakeMessages.Nonced(alice.key(), new byte[32], Shown.NOTHING);
        var hello = HandshakeMessages.hello(Versions.OURS, me, Hello.service("demo", bob.id()));
        exchange.write("HELLO", hello);
        var prefix = exchange.read("REPLY", HandshakeMessages.PREFIX_BYTES);
        var body = exchange.readSized("REPLY", HandshakeMessages.LONGEST_REPLY);
        var reply = HandshakeMessages.join(prefix, HandshakeMessages.sized(body));
        exchange.write("PROOF", alice.sign(HandshakeMessages.INITIATOR, hello, reply));
        assertThat(there.join())
                .isInstanceOf(BadProof.class)
                .asString()
                .contains("does not prove to have the job's key: it is of no job");
        exchange.done();
    }

    @Test
    void the_key_is_that_of_the_hub_which_has_proved_to_have_it() {
        var vetting = new Vetting(Trust.NONE, Declarations.NONE, Catalog.NONE);
        var peer = Hello.service("demo", bob.id());
        assertThat(vetting.towards(peer, null).key()).isNull();
        vetting.joins(peer, KEY); // no hub
        vetting.joins(Hello.bootstrap("demo", null), null);
        assertThat(vetting.job(peer)).isNull();
        vetting.joins(Hello.bootstrap("demo", null), KEY);
        assertThat(vetting.towards(peer, null).key()).isSameAs(KEY);
        assertThat(vetting.job(peer)).isSameAs(KEY);
    }
}
