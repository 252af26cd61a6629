package org.ibidem.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.ibidem.OtherUser;
import org.ibidem.arbitration.Threads;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdentityTest {
    private static final byte[] TEXT = "text".getBytes(StandardCharsets.US_ASCII);

    @TempDir Path directory;

    @Test
    void only_the_owner_of_a_key_signs_for_it() {
        var alice = Identity.create();
        var bob = Identity.create();
        var signature = alice.sign(TEXT);
        assertThat(signature).hasSize(NodeKey.SIGNATURE_BYTES);
        assertThat(alice.key().verify(signature, TEXT)).isTrue();
        assertThat(alice.key().verify(signature, new byte[] {'t'}, new byte[] {'e', 'x', 't'}))
                .isTrue();
        assertThat(bob.key().verify(signature, TEXT)).isFalse();
        assertThat(alice.key().verify(signature, new byte[] {'t'})).isFalse();
    }

    /// Who can be this node with it.
    @Test
    void another_users_file_is_refused() throws Exception {
        OtherUser.require();
        var file = directory.resolve("node.key");
        Identity.stored(file);
        Files.setAttribute(file, "unix:uid", OtherUser.UID);
        assertThatThrownBy(() -> Identity.stored(file))
                .isInstanceOf(BadIdentity.class)
                .hasMessageContaining("belongs to another user");
    }

    @Test
    void numbers_out_of_range_are_no_signature() {
        var key = Identity.create().key();
        assertThat(key.verify(new byte[NodeKey.SIGNATURE_BYTES], TEXT)).isFalse();
        assertThat(key.verify(new byte[0], TEXT)).isFalse();
        assertThat(key.verify(new byte[NodeKey.SIGNATURE_BYTES + 1], TEXT)).isFalse();
    }

    @Test
    void the_id_is_the_hash_of_the_key() {
        var identity = Identity.create();
        assertThat(identity.id()).isEqualTo(NodeId.of(identity.key().encoded()));
        assertThat(identity.key().encoded()).hasSize(NodeKey.BYTES);
    }

    @Test
    void a_stored_identity_is_the_same_next_time() throws IOException {
        var file = directory.resolve("deep/down/node.key");
        var first = Identity.stored(file);
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        var second = Identity.stored(file);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(first.key().verify(second.sign(TEXT), TEXT)).isTrue();
        try (var files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void all_who_store_at_once_end_up_with_one_identity() throws Exception {
        var file = directory.resolve("node.key");
        try (var threads = new Threads("test")) {
            var start = new CountDownLatch(1);
            var found = new ArrayList<CompletableFuture<NodeId>>();
            for (int i = 0; i < 16; i++) {
                var id = new CompletableFuture<NodeId>();
                found.add(id);
                threads.start(
                        "one of many",
                        () -> {
                            try {
                                start.await();
                                id.complete(Identity.stored(file).id());
                            } catch (InterruptedException | RuntimeException e) {
                                id.completeExceptionally(e);
                            }
                        });
            }
            start.countDown();
            assertThat(found.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        }
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void a_file_that_others_may_read_is_refused() throws IOException {
        var file = directory.resolve("node.key");
        Identity.stored(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> Identity.stored(file))
                .isInstanceOf(BadIdentity.class)
                .hasMessageContaining("run: chmod 600");
    }

    @Test
    void a_file_with_something_else_is_refused() throws IOException {
        var file = directory.resolve("node.key");
        Identity.stored(file);
        Files.writeString(file, "nothing");
        assertThatThrownBy(() -> Identity.stored(file))
                .isInstanceOf(BadIdentity.class)
                .hasMessageContaining("has no section 'PRIVATE KEY'");
        Files.writeString(file, "x".repeat(70_000));
        assertThatThrownBy(() -> Identity.stored(file)).hasMessageContaining("over 65536 bytes");
    }

    @Test
    void keys_that_are_no_pair_are_refused() throws IOException {
        var file = directory.resolve("node.key");
        Identity.stored(file);
        var other = directory.resolve("other.key");
        Identity.stored(other);
        var mine = Files.readString(file);
        var theirs = Files.readString(other);
        int cut = mine.indexOf("-----BEGIN PUBLIC");
        Files.writeString(
                file,
                mine.substring(0, cut) + theirs.substring(theirs.indexOf("-----BEGIN PUBLIC")));
        assertThatThrownBy(() -> Identity.stored(file))
                .hasMessageContaining("do not belong together");
    }

    @Test
    void only_p256_in_its_one_encoding_is_a_key() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(384);
        var p384 = generator.generateKeyPair().getPublic().getEncoded();
        assertThatThrownBy(() -> NodeKey.of(p384)).isInstanceOf(BadKey.class);
        assertThatThrownBy(() -> NodeKey.of(new byte[NodeKey.BYTES])).isInstanceOf(BadKey.class);
        var longer = java.util.Arrays.copyOf(Identity.create().key().encoded(), NodeKey.BYTES + 1);
        assertThatThrownBy(() -> NodeKey.of(longer)).isInstanceOf(BadKey.class);
    }
}
