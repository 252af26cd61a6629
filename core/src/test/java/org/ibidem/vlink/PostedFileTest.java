package org.ibidem.vlink;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;
import static org.ibidem.vlink.VLinkTest.done;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Files whose operations are posted, as those of VLinks are.
@Timeout(60)
class PostedFileTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CHUNK = 50_000;
    private static final Path FULL = Path.of("/dev/full");

    private final Pair pair = new Pair();

    @TempDir Path folder;

    @AfterEach
    void close() {
        pair.close();
    }

    private static void fails(Kind kind, String words, ThrowingCallable use) {
        assertThatThrownBy(use)
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(words);
    }

    private Path written(String name, int count) throws IOException {
        var bytes = new byte[count];
        new Random(count).nextBytes(bytes);
        return java.nio.file.Files.write(folder.resolve(name), bytes);
    }

    /// Carries what comes from one to the other, in handlers alone.
    private static final class Carrier {
        final CompletableFuture<Thread> over = new CompletableFuture<>();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        private final VLink link;
        private final PostedFile file;
        private long at;

        Carrier(VLink link, PostedFile file) {
            this.link = link;
            this.file = file;
        }

        private void then(Posted<Integer> posted, java.util.function.IntConsumer next) {
            posted.whenDone(done -> {
                try {
                    next.accept(done.result());
                } catch (VLinkFailed e) {
                    over.completeExceptionally(e);
                }
            });
        }

        void fromFile() {
            then(
                    file.postRead(buffer.clear(), at),
                    count -> {
                        if (count < 0) {
                            link.endOutput();
                            over.complete(Thread.currentThread());
                            return;
                        }
                        at += count;
                        buffer.flip();
                        toLink();
                    });
        }

        private void toLink() {
            then(
                    link.postWrite(buffer),
                    _ -> {
                        if (buffer.hasRemaining()) {
                            toLink();
                        } else {
                            fromFile();
                        }
                    });
        }

        void toFile() {
            then(
                    link.postRead(buffer.clear()),
                    count -> {
                        if (count < 0) {
                            over.complete(Thread.currentThread());
                            return;
                        }
                        buffer.flip();
                        write();
                    });
        }

        private void write() {
            then(
                    file.postWrite(buffer, at),
                    count -> {
                        at += count;
                        if (buffer.hasRemaining()) {
                            write();
                        } else {
                            toFile();
                        }
                    });
        }
    }

    @Test
    void a_file_goes_to_another_node_and_back_by_handlers_alone() throws Exception {
        var original = written("original", 1_234_567);
        var there = folder.resolve("there");
        var back = folder.resolve("back");
        try (var listener = pair.to.listen("files", "auto", 2);
                var from = done(pair.from.open(original));
                var at = done(pair.to.open(there, CREATE_NEW, READ, WRITE));
                var to = done(pair.from.open(back, CREATE_NEW, WRITE))) {
            var accepting = listener.postAccept();
            var client = done(pair.from.connect(pair.two.id(), "files", "auto", "", LIMIT));
            var server = done(accepting);
            var sent = new Carrier(client, from);
            var got = new Carrier(server, at);
            sent.fromFile();
            got.toFile();
            assertThat(sent.over.get(60, TimeUnit.SECONDS).getName()).endsWith("/vlinks");
            assertThat(got.over.get(60, TimeUnit.SECONDS).getName()).endsWith("/vlinks");
            var returned = new Carrier(server, at);
            var home = new Carrier(client, to);
            returned.fromFile();
            home.toFile();
            returned.over.get(60, TimeUnit.SECONDS);
            home.over.get(60, TimeUnit.SECONDS);
            assertThat(done(to.postSync())).isSameAs(to);
        }
        assertThat(there).hasSameBinaryContentAs(original);
        assertThat(back).hasSameBinaryContentAs(original);
    }

    @Test
    void what_the_system_refuses_says_why() throws Exception {
        var missing = folder.resolve("missing");
        fails(
                Kind.FILE,
                "opening " + missing + ": there is no such file",
                () -> done(pair.from.open(missing)));
        var there = written("there", 10);
        fails(
                Kind.FILE,
                "there is one already",
                () -> done(pair.from.open(there, CREATE_NEW, WRITE)));
        try (var file = done(pair.from.open(there))) {
            var into = ByteBuffer.allocate(20);
            assertThat(done(file.postRead(into, 4))).isEqualTo(6);
            assertThat(done(file.postRead(into, 10))).isEqualTo(-1);
            fails(
                    Kind.FILE,
                    "it was not opened to be written",
                    () -> done(file.postWrite(into.flip(), 0)));
            assertThatThrownBy(() -> file.postRead(into, -1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> file.postRead(into.asReadOnlyBuffer(), 0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> pair.from.open(there, WRITE, StandardOpenOption.APPEND))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_full_disk_says_so() {
        assumeTrue(java.nio.file.Files.exists(FULL), "there is no /dev/full");
        try (var file = done(pair.from.open(FULL, WRITE))) {
            fails(
                    Kind.FILE,
                    "writing /dev/full at 0: No space left on device",
                    () -> done(file.postWrite(ByteBuffer.allocate(10), 0)));
        }
    }

    /// As much as a thread may need outside the heap for it.
    @Test
    void one_operation_moves_a_mebibyte_at_most() throws Exception {
        try (var file = done(pair.from.open(written("large", 3 << 20)))) {
            var into = ByteBuffer.allocate(3 << 20);
            assertThat(done(file.postRead(into, 0))).isEqualTo(PostedFile.LARGEST);
            assertThat(into.limit()).isEqualTo(3 << 20);
        }
    }

    /// All threads wait in the system: for somebody to open the other end of a pipe.
    private final class Held implements AutoCloseable {
        private final Path pipe = folder.resolve("pipe");
        private final List<Posted<PostedFile>> opening = new ArrayList<>();

        Held() throws Exception {
            assumeTrue(
                    new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0,
                    "mkfifo makes no pipe here");
            for (int i = 0; i < Files.THREADS; i++) {
                opening.add(pair.from.open(pipe));
            }
            eventually("they are being opened", () -> pair.from.files().waiting() == 0);
        }

        @Override
        public void close() throws IOException {
            try (var _ = FileChannel.open(pipe, WRITE)) { // waits for the first of them
                for (var one : opening) {
                    done(one).close();
                }
            }
        }
    }

    @Test
    void what_waits_can_be_cancelled_and_ends_when_its_file_is_closed() throws Exception {
        var file = done(pair.from.open(written("waits", 10)));
        Posted<Integer> cancelled;
        Posted<Integer> closed;
        try (var _ = new Held()) {
            cancelled = file.postRead(ByteBuffer.allocate(10), 0);
            closed = file.postRead(ByteBuffer.allocate(10), 0);
            assertThat(cancelled.cancel()).isTrue();
            fails(Kind.CANCELLED, "it was cancelled", () -> done(cancelled));
            assertThat(closed.isDone()).isFalse();
            file.close();
            fails(Kind.CLOSED, "the file was closed", () -> done(closed));
        }
        fails(
                Kind.CLOSED,
                "the file was closed",
                () -> done(file.postRead(ByteBuffer.allocate(1), 0)));
    }

    @Test
    void so_many_wait_and_no_more() throws Exception {
        var file = done(pair.from.open(written("busy", 10)));
        List<Posted<Integer>> waiting;
        try (var _ = new Held()) {
            waiting =
                    Stream.generate(() -> file.postRead(ByteBuffer.allocate(10), 0))
                            .limit(Files.MOST)
                            .toList();
            fails(
                    Kind.BUSY,
                    "which is the most",
                    () -> done(file.postRead(ByteBuffer.allocate(1), 0)));
        }
        assertThat(waiting).allSatisfy(one -> assertThat(done(one)).isEqualTo(10));
    }

    /// Each completes once: with what was read, or as its file was closed.
    @Test
    void what_is_outstanding_at_the_end_of_a_node_completes() throws Exception {
        var file = done(pair.from.open(written("ends", 1 << 20)));
        var all =
                Stream.generate(() -> file.postRead(ByteBuffer.allocate(1 << 20), 0))
                        .limit(100)
                        .toList();
        pair.close();
        for (var one : all) {
            try {
                assertThat(done(one)).isEqualTo(1 << 20);
            } catch (VLinkFailed e) {
                assertThat(e.kind()).isEqualTo(Kind.CLOSED);
            }
        }
        fails(Kind.CLOSED, "the node was closed", () -> done(pair.from.open(folder)));
    }
}
