package org.ibidem.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.Vectors;
import org.ibidem.buffer.Malformed;
import org.ibidem.handshake.HandshakeMessages.Answered;
import org.ibidem.handshake.HandshakeMessages.Nonced;
import org.ibidem.handshake.HandshakeMessages.Versions;
import org.ibidem.identity.Identity;
import org.ibidem.identity.Shown;
import org.ibidem.trust.Chain;
import org.ibidem.trust.JobKey;
import org.junit.jupiter.api.Test;

/// The format of the handshake stays what the vectors say.
class HandshakeVectorsTest {
    private static final int BODY = HandshakeMessages.PREFIX_BYTES + HandshakeMessages.LENGTH_BYTES;

    private final Vectors vectors = Vectors.read("handshake");
    private final Identity initiator =
            Identity.of(vectors.get("initiator.private"), vectors.get("initiator.key"));
    private final Identity responder =
            Identity.of(vectors.get("responder.private"), vectors.get("responder.key"));
    private final Hello data =
            Hello.data(
                    "demo",
                    responder.id(),
                    "fragment(size=8k) > tcp",
                    "00112233445566778899aabbccddeeff");

    HandshakeVectorsTest() throws IOException {}

    private static byte[] body(byte[] message) {
        return Arrays.copyOfRange(message, BODY, message.length);
    }

    @Test
    void ids_come_from_keys() {
        assertThat(HexFormat.of().parseHex(initiator.id().toString()))
                .isEqualTo(vectors.get("initiator.id"));
        assertThat(HexFormat.of().parseHex(responder.id().toString()))
                .isEqualTo(vectors.get("responder.id"));
    }

    @Test
    void what_a_link_is_bound_to_is_the_sum_of_all_that_was_said() throws IOException {
        var all = new byte[][] {vectors.get("hello"), vectors.get("reply"), vectors.get("proof")};
        assertThat(HandshakeMessages.digest(all))
                .isEqualTo(Vectors.read("filters").get("tls.said"));
    }

    @Test
    void a_hello_is_written_and_read_so() {
        var hello = vectors.get("hello");
        assertThat(
                        HandshakeMessages.hello(
                                Versions.OURS,
                                new Nonced(
                                        initiator.key(),
                                        vectors.get("initiator.nonce"),
                                        Shown.NOTHING),
                                data))
                .isEqualTo(hello);
        var asked = HandshakeMessages.readHello(body(hello));
        assertThat(asked.key()).isEqualTo(initiator.key());
        assertThat(asked.hello()).contains(data);
        assertThat(
                        HandshakeMessages.readPrefix(
                                Arrays.copyOf(hello, HandshakeMessages.PREFIX_BYTES)))
                .isEqualTo(new Versions(2, 2));
    }

    @Test
    void a_hello_for_what_links_share_is_written_and_read_so() {
        var hello = Hello.shared("demo", responder.id());
        assertThat(
                        HandshakeMessages.hello(
                                Versions.OURS,
                                new Nonced(
                                        initiator.key(),
                                        vectors.get("initiator.nonce"),
                                        Shown.NOTHING),
                                hello))
                .isEqualTo(vectors.get("shared.hello"));
        assertThat(HandshakeMessages.readHello(body(vectors.get("shared.hello"))).hello())
                .contains(hello);
    }

    @Test
    void a_hello_with_what_is_shown_is_written_and_read_so() {
        var shown = new Shown("10.0.0.1", vectors.get("shown.certificates"));
        var from = new Nonced(initiator.key(), vectors.get("initiator.nonce"), shown);
        assertThat(HandshakeMessages.hello(Versions.OURS, from, data))
                .isEqualTo(vectors.get("shown.hello"));
        assertThat(HandshakeMessages.readHello(body(vectors.get("shown.hello"))).shown())
                .isEqualTo(shown);
        var chain = Chain.of(shown.certificates());
        assertThat(chain.certificates()).hasSize(1);
        assertThat(chain.key()).isEqualTo(vectors.get("initiator.key"));
        assertThat(chain.bytes()).isEqualTo(shown.certificates());
    }

    @Test
    void a_hello_for_anybody_is_written_and_read_so() {
        var hello = Hello.bootstrap("pöol", null);
        assertThat(
                        HandshakeMessages.hello(
                                Versions.OURS,
                                new Nonced(
                                        initiator.key(),
                                        vectors.get("initiator.nonce"),
                                        Shown.NOTHING),
                                hello))
                .isEqualTo(vectors.get("bootstrap.hello"));
        assertThat(HandshakeMessages.readHello(body(vectors.get("bootstrap.hello"))).hello())
                .contains(hello);
    }

    @Test
    void a_reply_is_written_read_and_signed_so() {
        var reply = vectors.get("reply");
        var unsigned = HandshakeMessages.withoutSignature(reply);
        assertThat(
                        HandshakeMessages.unsignedReply(
                                Versions.OURS,
                                new Nonced(
                                        responder.key(),
                                        vectors.get("responder.nonce"),
                                        Shown.NOTHING),
                                0,
                                ""))
                .isEqualTo(unsigned);
        assertThat(HandshakeMessages.readReply(body(reply)))
                .isEqualTo(new Answered(responder.key(), 0, "", Shown.NOTHING));
        assertThat(
                        responder
                                .key()
                                .verify(
                                        HandshakeMessages.signatureOf(reply),
                                        HandshakeMessages.RESPONDER,
                                        vectors.get("hello"),
                                        unsigned))
                .isTrue();
    }

    @Test
    void a_refusal_is_read_so() {
        assertThat(HandshakeMessages.readReply(body(vectors.get("bootstrap.reply"))))
                .isEqualTo(
                        new Answered(
                                responder.key(),
                                Refusal.POOL.code(),
                                "there is no pool 'pöol' here",
                                Shown.NOTHING));
    }

    @Test
    void a_proof_is_signed_so() {
        assertThat(
                        initiator
                                .key()
                                .verify(
                                        vectors.get("proof"),
                                        HandshakeMessages.INITIATOR,
                                        vectors.get("hello"),
                                        vectors.get("reply")))
                .isTrue();
        assertThat(
                        initiator
                                .key()
                                .verify(
                                        vectors.get("proof"),
                                        HandshakeMessages.RESPONDER,
                                        vectors.get("hello"),
                                        vectors.get("reply")))
                .as("the other role's label")
                .isFalse();
    }

    @Test
    void a_seal_is_written_read_and_signed_so() {
        var yes = HandshakeMessages.unsignedSeal(0, "");
        isSealed(initiator, HandshakeMessages.SEALED_INITIATOR, "seal.initiator", yes);
        isSealed(responder, HandshakeMessages.SEALED_RESPONDER, "seal.responder", yes);
        var no = HandshakeMessages.unsignedSeal(Refusal.OTHER.code(), "no");
        isSealed(responder, HandshakeMessages.SEALED_RESPONDER, "seal.refusal", no);
        assertThat(HandshakeMessages.readSeal(sealed("seal.refusal")))
                .isEqualTo(new HandshakeMessages.Said(Refusal.OTHER.code(), "no"));
        var cut = Arrays.copyOf(sealed("seal.initiator"), 66);
        assertThatThrownBy(() -> HandshakeMessages.readSeal(cut)).isInstanceOf(Malformed.class);
    }

    private byte[] sealed(String name) {
        var seal = vectors.get(name);
        var body = Arrays.copyOfRange(seal, HandshakeMessages.LENGTH_BYTES, seal.length);
        assertThat(HandshakeMessages.sized(body)).isEqualTo(seal);
        return body;
    }

    private void isSealed(Identity by, byte[] label, String name, byte[] unsigned) {
        var seal = sealed(name);
        var said =
                HandshakeMessages.join(
                        vectors.get("hello"), vectors.get("reply"), vectors.get("proof"));
        assertThat(HandshakeMessages.withoutSignature(seal)).isEqualTo(unsigned);
        var signature = HandshakeMessages.signatureOf(seal);
        var exported = vectors.get("seal.exported");
        assertThat(by.key().verify(signature, label, exported, said, unsigned)).isTrue();
        exported[0]++;
        assertThat(by.key().verify(signature, label, exported, said, unsigned))
                .as("another session")
                .isFalse();
    }

    @Test
    void who_has_the_key_of_a_job_signs_so() {
        var job = JobKey.of(vectors.get("job.key"));
        assertThat(job.name().getBytes(StandardCharsets.UTF_8)).isEqualTo(vectors.get("job.name"));
        var hello = vectors.get("job.hello");
        assertThat(HandshakeMessages.readHello(body(hello)).hello())
                .contains(Hello.bootstrap("demo", null).named(job));
        isSigned(job, "job");
    }

    @Test
    void members_of_a_job_sign_so_towards_each_other() {
        var hello = HandshakeMessages.readHello(body(vectors.get("job.peer.hello"))).hello();
        assertThat(hello).contains(Hello.service("demo", responder.id()));
        isSigned(JobKey.of(vectors.get("job.key")), "job.peer");
    }

    private void isSigned(JobKey job, String name) {
        var hello = vectors.get(name + ".hello");
        var reply = vectors.get(name + ".reply");
        var unsigned = HandshakeMessages.withoutSignature(reply);
        var signature = HandshakeMessages.signatureOf(reply);
        var label = HandshakeMessages.RESPONDER;
        var said = HandshakeMessages.signed(job, label, hello, unsigned);
        assertThat(responder.key().verify(signature, said)).isTrue();
        assertThat(responder.key().verify(signature, label, hello, unsigned))
                .as("without the key")
                .isFalse();
        var all = HandshakeMessages.signed(job, HandshakeMessages.INITIATOR, hello, reply);
        assertThat(initiator.key().verify(vectors.get(name + ".proof"), all)).isTrue();
    }

    @Test
    void another_version_answers_so() {
        assertThat(HandshakeMessages.readPrefix(vectors.get("version.reply")))
                .isEqualTo(new Versions(3, 4));
    }

    @Test
    void what_must_be_refused_is() {
        refused("bad.short", "(certificates): needs 2 bytes, but the message ends after 1");
        refused("bad.long", "(end): 1 bytes too many");
        refused("bad.pool", "at byte 140 (pool): length 65, but at most 64 is allowed");
        refused("bad.utf8", "at byte 140 (pool): these 5 bytes are not UTF-8");
        ThrowingCallable reading = () -> HandshakeMessages.readHello(vectors.get("bad.key"));
        assertThatThrownBy(reading).isInstanceOf(BadProof.class);
        refused("bad.certificates", "(certificates): length 4097, but at most 4096 is allowed");
        assertThat(vectors.starting("bad.")).hasSize(6);
    }

    private void refused(String name, String why) {
        assertThatThrownBy(() -> HandshakeMessages.readHello(vectors.get(name)))
                .as(name)
                .isInstanceOf(Malformed.class)
                .hasMessageContaining(why);
    }
}
