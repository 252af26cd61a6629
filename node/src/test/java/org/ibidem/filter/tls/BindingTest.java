package org.ibidem.filter.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.PublicKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ibidem.Background;
import org.ibidem.Vectors;
import org.ibidem.identity.Identity;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Credentials;
import org.ibidem.link.Lower;
import org.ibidem.link.TestLower;
import org.ibidem.tls.Binding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A session of TLS belongs to one handshake of the link, and the other way round.
@Timeout(60)
class BindingTest {
    private static final Identity CLIENT = Identity.create();
    private static final Identity SERVER = Identity.create();

    private static byte[] said(int handshake) {
        var said = new byte[Lower.SAID];
        said[0] = (byte) handshake;
        return said;
    }

    private static CompletableFuture<ByteStream> end(TestLower lower, byte[] said) {
        var credentials =
                lower.active() ? CLIENT.towards(SERVER.id()) : SERVER.towards(CLIENT.id());
        var keyed = new Keyed(lower, credentials, "0123456789abcdef0123456789abcdef", said);
        return Background.call(() -> {
            try {
                return new TlsFilter().over(lower.stream(), new Tls(), keyed);
            } catch (IOException e) {
                lower.stream().close();
                throw e;
            }
        });
    }

    private static void meet(int client, int server, boolean well) throws IOException {
        var lowers = TestLower.pair();
        var here = end(lowers[0], said(client));
        var there = end(lowers[1], said(server));
        try {
            if (well) {
                here.join();
                there.join();
                return;
            }
            for (var refused : new CompletableFuture<?>[] {here, there}) {
                assertThatThrownBy(refused::join)
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("this end refuses the other")
                        .hasMessageContaining("somebody between joins two connections");
            }
            assertThatThrownBy(there::join).hasMessageContaining("refuses this one, too");
        } finally {
            lowers[0].stream().close();
            lowers[1].stream().close();
        }
    }

    @Test
    void who_joins_the_session_of_one_connection_to_the_handshake_of_another_is_refused_by_both()
            throws IOException {
        meet(1, 1, true);
        meet(1, 2, false);
        meet(2, 2, true);
    }

    private final Vectors vectors = Vectors.read("filters");
    private final Identity initiator = identity("initiator");
    private final Identity responder = identity("responder");

    BindingTest() throws IOException {}

    private Identity identity(String role) {
        return Identity.of(
                vectors.get("tls." + role + ".private"), vectors.get("tls." + role + ".key"));
    }

    private Binding binding(Identity mine, Identity theirs) {
        return new Binding(
                mine.towards(theirs.id()),
                key(theirs),
                vectors.get("tls.exported"),
                vectors.get("tls.said"));
    }

    private static PublicKey key(Identity of) {
        Credentials credentials = of.towards(of.id());
        return credentials.certificate().getPublicKey();
    }

    @Test
    void what_both_sign_is_written_and_read_so() throws IOException {
        var client = binding(initiator, responder);
        var server = binding(responder, initiator);
        assertThat(client.wrong(false, vectors.get("tls.responder"))).isEmpty();
        assertThat(server.wrong(true, vectors.get("tls.initiator"))).isEmpty();
        assertThat(server.wrong(true, vectors.get("tls.refusal")))
                .isEqualTo("the other end refuses this one");
        assertThat(server.wrong(true, client.say(true, true))).isEmpty();
        assertThat(client.wrong(false, server.say(false, true))).isEmpty();
        assertThat(client.say(true, false)).hasSize(Binding.BYTES).startsWith(1);
    }

    @Test
    void any_changed_byte_of_it_and_the_others_role_are_refused() {
        var client = binding(initiator, responder);
        var well = vectors.get("tls.responder");
        for (int i = 0; i < well.length; i++) {
            var altered = well.clone();
            altered[i] ^= 4;
            assertThat(client.wrong(false, altered)).contains("joins two connections");
        }
        assertThat(client.wrong(true, well)).contains("joins two connections");
        assertThat(binding(responder, initiator).wrong(true, well))
                .contains("joins two connections");
    }
}
