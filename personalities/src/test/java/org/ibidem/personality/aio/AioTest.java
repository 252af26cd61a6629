package org.ibidem.personality.aio;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ibidem.hub.Hub;
import org.ibidem.personality.aio.Aio.Cancelled;
import org.ibidem.personality.aio.ControlBlock.Operation;
import org.ibidem.personality.aio.ControlBlock.Status;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.vlink.Posted;
import org.ibidem.vlink.VLink;
import org.ibidem.vlink.VLinkFailed;
import org.ibidem.vlink.VLinks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The calls of POSIX.
@Timeout(60)
class AioTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int ROOM = 256 << 20;

    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0));
    private final Aio aio = new Aio();
    private Node one;
    private Node two;
    private VLink client;
    private VLink server;

    @TempDir Path folder;

    @BeforeEach
    void connect() throws Exception {
        var join = Join.pool("aio").hub("localhost:" + hub.port()).size(2);
        one = Node.join(join.rank(0));
        two = Node.join(join.rank(1));
        try (var listener = VLinks.of(two).listen("aio", "auto", 1)) {
            var accepting = listener.postAccept();
            client = done(VLinks.of(one).connect(two.id(), "aio", "auto", "", LIMIT));
            server = done(accepting);
        }
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        hub.close();
    }

    private static <T> T done(Posted<T> posted) throws Exception {
        var over = new CompletableFuture<Void>();
        posted.whenDone(_ -> over.complete(null));
        over.get(60, TimeUnit.SECONDS);
        return posted.result();
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
    }

    private long result(ControlBlock block) throws Exception {
        assertThat(aio.suspend(List.of(block), LIMIT)).isTrue();
        return block.result();
    }

    @Test
    void a_block_is_in_progress_until_it_has_its_result_which_is_taken_once() throws Exception {
        var into = ByteBuffer.allocate(10);
        var reads = ControlBlock.of(server, into);
        assertThat(reads.status()).isEqualTo(Status.IDLE);
        aio.read(reads);
        assertThat(reads.status()).isEqualTo(Status.IN_PROGRESS);
        assertThatThrownBy(reads::result).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> aio.read(reads)).isInstanceOf(IllegalStateException.class);
        assertThat(aio.suspend(List.of(reads), Duration.ofMillis(1))).isFalse();
        aio.write(ControlBlock.of(client, text("hello")));
        assertThat(result(reads)).isEqualTo(5);
        assertThat(text(into)).isEqualTo("hello");
        assertThatThrownBy(reads::result).isInstanceOf(IllegalStateException.class);
        client.endOutput();
        into.clear();
        aio.read(reads);
        assertThat(result(reads)).as("it can be used again").isEqualTo(-1);
    }

    @Test
    void writes_on_a_stream_keep_their_order_and_are_whole() throws Exception {
        int pieces = 200;
        var blocks =
                Stream.iterate(0, i -> i + 1)
                        .limit(pieces)
                        .map(i -> ByteBuffer.allocate(20_000).put(0, i.byteValue()))
                        .map(piece -> ControlBlock.of(client, piece).operation(Operation.WRITE))
                        .toList();
        var over = new CompletableFuture<Void>();
        aio.list(blocks, () -> over.complete(null));
        var piece = ByteBuffer.allocate(20_000);
        for (int i = 0; i < pieces; i++) {
            piece.clear();
            while (piece.hasRemaining()) {
                var reads = ControlBlock.of(server, piece);
                aio.read(reads);
                assertThat(result(reads)).isPositive();
            }
            assertThat(piece.get(0)).isEqualTo((byte) i);
        }
        over.get(60, TimeUnit.SECONDS);
        for (var block : blocks) {
            assertThat(block.result()).isEqualTo(20_000);
        }
    }

    @Test
    void a_file_is_written_and_read_where_each_block_says() throws Exception {
        try (var file =
                done(VLinks.of(one).open(folder.resolve("file"), CREATE_NEW, READ, WRITE))) {
            var nothing = ControlBlock.of(file, ByteBuffer.allocate(1), 0);
            assertThat(
                            aio.listAndWait(
                                    List.of(
                                            ControlBlock.of(file, text("world"), 6)
                                                    .operation(Operation.WRITE),
                                            nothing,
                                            ControlBlock.of(file, text("hello "), 0)
                                                    .operation(Operation.WRITE))))
                    .isTrue();
            assertThat(nothing.status()).isEqualTo(Status.IDLE);
            var into = ByteBuffer.allocate(20);
            var told = new CompletableFuture<ControlBlock>();
            var reads = ControlBlock.of(file, into, 0).whenDone(told::complete);
            aio.read(reads);
            assertThat(told.get(60, TimeUnit.SECONDS)).isSameAs(reads);
            assertThat(reads.result()).isEqualTo(11);
            assertThat(text(into)).isEqualTo("hello world");
        }
    }

    @Test
    void a_list_is_over_whatever_the_handler_of_one_of_its_blocks_throws() throws Exception {
        var over = new CompletableFuture<Void>();
        var into = ByteBuffer.allocate(1);
        var failing =
                ControlBlock.of(server, into)
                        .operation(Operation.READ)
                        .whenDone(_ -> {
                            throw new AssertionError("not handled");
                        });
        aio.list(List.of(failing), () -> over.complete(null));
        aio.write(ControlBlock.of(client, text("xy")));
        over.get(60, TimeUnit.SECONDS);
        var next = ControlBlock.of(server, ByteBuffer.allocate(1));
        aio.read(next);
        assertThat(result(next)).as("the node's loop goes on").isEqualTo(1);
    }

    @Test
    void what_fails_says_why_and_a_list_says_that_something_did() throws Exception {
        var file = done(VLinks.of(one).open(folder.resolve("file"), CREATE_NEW, WRITE));
        var reads = ControlBlock.of(file, ByteBuffer.allocate(1), 0).operation(Operation.READ);
        var writes = ControlBlock.of(file, text("x"), 0).operation(Operation.WRITE);
        assertThat(aio.listAndWait(List.of(reads, writes))).isFalse();
        assertThat(reads.status()).isEqualTo(Status.FAILED);
        assertThat(writes.status()).isEqualTo(Status.DONE);
        assertThatThrownBy(reads::result)
                .isInstanceOf(VLinkFailed.class)
                .hasMessageContaining("it was not opened to be read");
        file.close();
        assertThatThrownBy(() -> aio.read(ControlBlock.of(server, text("x").asReadOnlyBuffer())))
                .isInstanceOf(IllegalArgumentException.class);
        server.abort("enough");
        var late = ControlBlock.of(client, ByteBuffer.allocate(1));
        aio.read(late);
        assertThatThrownBy(() -> result(late)).hasMessageContaining("reset by the other end");
    }

    @Test
    void what_waits_is_cancelled_and_what_was_done_in_part_is_not() throws Exception {
        var first = ControlBlock.of(server, ByteBuffer.allocate(1));
        var second = ControlBlock.of(server, ByteBuffer.allocate(1));
        var third = ControlBlock.of(server, ByteBuffer.allocate(1));
        List.of(first, second, third).forEach(aio::read);
        assertThat(aio.cancel(second)).as("it waits for another").isEqualTo(Cancelled.CANCELLED);
        assertThat(aio.cancel(first)).as("nothing has come").isEqualTo(Cancelled.CANCELLED);
        assertThat(first.status()).isEqualTo(Status.CANCELLED);
        assertThatThrownBy(first::result).isInstanceOf(CancellationException.class);
        assertThat(aio.cancel(first)).isEqualTo(Cancelled.ALL_DONE);
        aio.write(ControlBlock.of(client, text("x")));
        assertThat(result(third)).as("it takes their turn").isEqualTo(1);
        var much = ControlBlock.of(client, ByteBuffer.allocateDirect(ROOM));
        aio.write(much);
        var some = ControlBlock.of(server, ByteBuffer.allocate(1));
        aio.read(some);
        assertThat(result(some)).isEqualTo(1);
        assertThat(aio.cancel(client)).isEqualTo(Cancelled.NOT_CANCELLED);
        assertThat(result(much)).isPositive().isLessThan(ROOM);
        assertThat(aio.cancel(client)).isEqualTo(Cancelled.ALL_DONE);
    }

    @Test
    void so_many_are_in_progress_and_no_more() {
        var all =
                Stream.generate(() -> ControlBlock.of(server, ByteBuffer.allocate(1)))
                        .limit(Aio.MOST)
                        .toList();
        all.forEach(aio::read);
        var more = ControlBlock.of(server, ByteBuffer.allocate(1));
        assertThatThrownBy(() -> aio.read(more)).isInstanceOf(RejectedExecutionException.class);
        assertThat(more.status()).isEqualTo(Status.IDLE);
        assertThat(aio.cancel(server)).isEqualTo(Cancelled.CANCELLED);
        assertThat(all).allMatch(block -> block.status() == Status.CANCELLED);
        aio.read(more);
        assertThat(aio.cancel(more)).isEqualTo(Cancelled.CANCELLED);
    }
}
