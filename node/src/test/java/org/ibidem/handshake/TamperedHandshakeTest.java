package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.ibidem.Background;
import org.ibidem.arbitration.Threads;
import org.ibidem.identity.Identity;
import org.ibidem.identity.NodeKey;
import org.ibidem.identity.Shown;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Somebody on the way changes one byte; nobody may ever be taken for another, nor anything for
/// something else.
@Tag("slow")
class TamperedHandshakeTest {
    /// For what never comes, because a length was changed.
    private static final Duration SHORT = Duration.ofMillis(500);

    private final Threads threads = new Threads("test");
    private final Identity alice = Identity.create();
    private final Identity bob = Identity.create();
    private final Hello hello = Hello.data("demo", bob.id(), "tcp", "0123456789abcdef");
    private final int helloBytes =
            HandshakeMessages.hello(HandshakeMessages.Versions.OURS, nonced(alice), hello).length;
    private final int replyBytes =
            HandshakeMessages.unsignedReply(HandshakeMessages.Versions.OURS, nonced(bob), 0, "")
                            .length
                    + NodeKey.SIGNATURE_BYTES;

    private static HandshakeMessages.Nonced nonced(Identity who) {
        return new HandshakeMessages.Nonced(
                who.key(), new byte[HandshakeMessages.NONCE_BYTES], Shown.NOTHING);
    }

    @AfterEach
    void close() {
        threads.close();
    }

    record Outcome(Object client, Object server) {}

    private Outcome shake(Duration limit, int toServer, int toClient, int change) {
        var byAlice = new Handshake(alice, threads, limit);
        var byBob = new Handshake(bob, threads, limit);
        var wire = Wire.memory(toServer, toClient, change);
        var there = Background.outcome(() -> byBob.respondOver(wire.server(), Admission.ALL));
        var here = Background.outcome(() -> byAlice.initiateOver(wire.client(), hello));
        return new Outcome(here.join(), there.join());
    }

    @Test
    void untouched_it_works() {
        assertThat(shake(Handshake.LIMIT, -1, -1, 0))
                .isEqualTo(new Outcome(bob.key(), alice.key()));
    }

    @Test
    void any_changed_byte_of_a_hello_is_refused_by_both() {
        for (int at = 0; at < helloBytes; at++) {
            var outcome = shake(SHORT, at, -1, 1 << (at % 8));
            assertThat(outcome.client()).as("byte %d", at).isInstanceOf(HandshakeFailed.class);
            assertThat(outcome.server()).as("byte %d", at).isInstanceOf(HandshakeFailed.class);
        }
    }

    @Test
    void any_changed_byte_of_a_reply_is_refused_by_both() {
        for (int at = 0; at < replyBytes; at++) {
            var outcome = shake(SHORT, -1, at, 1 << (at % 8));
            assertThat(outcome.client()).as("byte %d", at).isInstanceOf(HandshakeFailed.class);
            assertThat(outcome.server()).as("byte %d", at).isInstanceOf(HandshakeFailed.class);
        }
    }

    @Test
    void any_changed_byte_of_a_proof_is_refused() {
        for (int at = 0; at < NodeKey.SIGNATURE_BYTES; at++) {
            var outcome = shake(Handshake.LIMIT, helloBytes + at, -1, 1 << (at % 8));
            assertThat(outcome.server()).as("byte %d", at).isInstanceOf(BadProof.class);
        }
    }
}
