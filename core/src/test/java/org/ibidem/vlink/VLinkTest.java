package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.Background;
import org.ibidem.Stacks;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.InChannel;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class VLinkTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int CHUNK = 10_000;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    /// Waits for what was posted.
    static <T> T done(Posted<T> posted) {
        var future = new CompletableFuture<T>();
        posted.whenDone(one -> {
            try {
                future.complete(one.result());
            } catch (VLinkFailed e) {
                future.completeExceptionally(e);
            }
        });
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException e) {
            throw (VLinkFailed) e.getCause();
        } catch (InterruptedException | java.util.concurrent.TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    record Ends(VLink client, VLink server) {}

    Ends connect(String stack) {
        try (var listener = pair.to.listen("echo", stack, 5)) {
            var accepting = listener.postAccept();
            var client = done(pair.from.connect(pair.two.id(), "echo", stack, "it is me", LIMIT));
            return new Ends(client, done(accepting));
        }
    }

    static void write(VLink link, byte[] bytes) {
        var from = ByteBuffer.wrap(bytes);
        while (from.hasRemaining()) {
            done(link.postWrite(from));
        }
    }

    static byte[] read(VLink link, int count) {
        var into = ByteBuffer.allocate(count);
        while (into.hasRemaining() && done(link.postRead(into)) >= 0) {}
        return java.util.Arrays.copyOf(into.array(), into.position());
    }

    private static byte[] random(int count, long seed) {
        var bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /// As where the way back cannot be made.
    @Test
    @Timeout(30)
    void whoever_is_closed_before_there_is_a_way_back_is_told_at_once_and_why() {
        pair.two.channels().serve("vlink", (_, _, _, _) -> new Acceptor.Yes(new Refusing()));
        var connecting = pair.from.connect(pair.two.id(), "echo", "tcp", "", LIMIT);
        assertThatThrownBy(() -> done(connecting))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED))
                .hasMessageContaining("there is no way back");
    }

    private static final class Refusing implements Acceptor.Receiver {
        @Override
        public void attach(InChannel incoming) {
            incoming.refuseRest("there is no way back");
        }

        @Override
        public void failed(String why) {
            // nothing was promised
        }

        @Override
        public void cancelled(InChannel incoming) {
            incoming.ended();
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @Stacks({
        "auto",
        "shm",
        "tcp",
        "checksum > tcp",
        "compress > tcp",
        "compress > parallel > tcp",
        "tls > tcp",
        "reliable > udp",
        "tls > reliable > udp"
    })
    void bytes_go_both_ways_at_once_over_any_stack(String stack) {
        var ends = connect(stack);
        var there = random(3_000_000, 1);
        var back = random(2_000_000, 2);
        var writes = Background.run(() -> write(ends.client, there));
        var writesBack = Background.run(() -> write(ends.server, back));
        var reads = Background.call(() -> read(ends.server, there.length));
        assertThat(read(ends.client, back.length)).isEqualTo(back);
        assertThat(reads.join()).isEqualTo(there);
        writes.join();
        writesBack.join();
        assertThat(ends.server.note()).isEqualTo("it is me");
        assertThat(ends.server.peer()).isEqualTo(pair.one.id());
        assertThat(ends.client.way()).isNotEmpty();
        ends.client.close();
        ends.server.close();
        eventually("both are over", () -> ends.client.isOver() && ends.server.isOver());
        eventually("nothing is kept", () -> pair.from.size() + pair.to.size() == 0);
        eventually(
                "no loop looks after them",
                () -> pair.from.loop().size() + pair.to.loop().size() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void who_looks_again_and_again_finds_what_comes_and_is_told_when_he_asks_for_it(String stack)
            throws Exception {
        var ends = connect(stack);
        for (int i = 0; i < 20; i++) {
            ends.server.polled(true);
            write(ends.client, random(5, i));
            var into = ByteBuffer.allocate(5);
            while (into.hasRemaining()) {
                assertThat(ends.server.read(into)).isNotNegative();
            }
            assertThat(into.array()).isEqualTo(random(5, i));
            var told = new CompletableFuture<Void>();
            ends.server.whenReadable(() -> told.complete(null));
            write(ends.client, random(3, i));
            told.get(60, TimeUnit.SECONDS);
            assertThat(read(ends.server, 3)).isEqualTo(random(3, i));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "compress > parallel > tcp"})
    void each_direction_ends_for_itself(String stack) {
        var ends = connect(stack);
        write(ends.client, random(5, 1));
        ends.client.endOutput();
        assertThat(read(ends.server, CHUNK)).isEqualTo(random(5, 1));
        assertThat(done(ends.server.postRead(ByteBuffer.allocate(1)))).isEqualTo(-1);
        assertThatThrownBy(() -> ends.client.write(ByteBuffer.allocate(1)))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
        write(ends.server, random(7, 2));
        ends.server.endOutput();
        assertThat(read(ends.client, CHUNK)).isEqualTo(random(7, 2));
        assertThat(read(ends.client, CHUNK)).isEmpty();
    }

    @Test
    void an_operation_that_was_cancelled_leaves_nothing() {
        var ends = connect("tcp");
        for (int i = 0; i < 3; i++) {
            assertThat(ends.server.postRead(ByteBuffer.allocate(1)).cancel()).isTrue();
        }
        assertThat(ends.server.isWatched()).isFalse();
        var reading = ends.server.postRead(ByteBuffer.allocate(1));
        assertThat(ends.server.isWatched()).isTrue();
        write(ends.client, new byte[1]);
        assertThat(done(reading)).isEqualTo(1);
    }

    /// What is not read stays in the link, and what finds no room there with the writer.
    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "compress > parallel > tcp"})
    void a_writer_waits_for_a_reader_that_does_not_read(String stack) {
        var ends = connect(stack);
        var bytes = random(1 << 20, 3);
        int taken = 0;
        int idle = 0;
        while (idle < 3) {
            int some = ends.client.write(ByteBuffer.wrap(bytes));
            idle = some == 0 ? idle + 1 : 0;
            taken += some;
            assertThat(taken).as("bytes that nobody reads").isLessThan(64 << 20);
            if (some == 0) { // what was on its way may have made room
                var again = new CompletableFuture<Void>();
                again.completeOnTimeout(null, 50, TimeUnit.MILLISECONDS).join();
            }
        }
        var posted = ends.client.postWrite(ByteBuffer.wrap(bytes));
        assertThat(read(ends.server, taken)).hasSize(taken);
        assertThat(done(posted)).isPositive();
    }

    @Test
    void nobody_listens_there() {
        pair.to.listen("echo", "auto", 1);
        assertThatThrownBy(() -> done(pair.from.connect(pair.two.id(), "ecko", "auto", "", LIMIT)))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED))
                .hasMessageContaining("nobody listens for VLinks to 'ecko'; did you mean 'echo'?");
    }

    @Test
    void so_many_wait_to_be_accepted_and_no_more() {
        var listener = pair.to.listen("echo", "auto", 2);
        done(pair.from.connect(pair.two.id(), "echo", "auto", "", LIMIT));
        done(pair.from.connect(pair.two.id(), "echo", "auto", "", LIMIT));
        assertThatThrownBy(() ->
                        done(
                                pair.from.connect(
                                        pair.two.id(), "echo", "auto", "", Duration.ofMillis(300))))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
        var third = pair.from.connect(pair.two.id(), "echo", "auto", "", LIMIT);
        assertThat(listener.accept()).isNotNull();
        done(third);
    }

    /// Also before the other node could be asked.
    @Test
    void a_connect_whose_limit_is_over_has_timed_out() {
        pair.to.listen("echo", "auto", 2);
        assertThatThrownBy(() ->
                        done(
                                pair.from.connect(
                                        pair.two.id(), "echo", "auto", "", Duration.ofNanos(1))))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMED_OUT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "compress > parallel > tcp"})
    void who_is_reset_is_told_why(String stack) {
        var ends = connect(stack);
        write(ends.client, random(5, 1));
        var reading = ends.server.postRead(ByteBuffer.allocate(CHUNK));
        assertThat(done(reading)).isEqualTo(5);
        var next = ends.server.postRead(ByteBuffer.allocate(CHUNK));
        ends.client.abort("it has seen enough");
        assertThatThrownBy(() -> done(next))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.RESET))
                .hasMessage("reset by the other end: it has seen enough");
        assertThatThrownBy(() -> done(ends.server.postWrite(ByteBuffer.allocate(1))))
                .isInstanceOf(VLinkFailed.class);
        assertThatThrownBy(() -> ends.client.read(ByteBuffer.allocate(1)))
                .hasMessage("it was closed at this end: it has seen enough");
        eventually("both are over", () -> ends.client.isOver() && ends.server.isOver());
    }

    @Test
    void who_writes_to_one_that_reads_no_more_is_told() {
        var ends = connect("shm");
        ends.server.endInput();
        var link = ends.client;
        eventually("the writer hears of it", () -> failsWith(link, Kind.UNREAD));
        write(ends.server, random(9, 1));
        assertThat(read(link, 9)).isEqualTo(random(9, 1));
    }

    private static boolean failsWith(VLink link, Kind kind) {
        try {
            link.write(ByteBuffer.allocate(1));
            return false;
        } catch (VLinkFailed e) {
            return e.kind() == kind;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp", "compress > parallel > tcp"})
    void a_peer_that_is_dead_ends_it_with_the_reason(String stack) {
        var ends = connect(stack);
        var reading = ends.client.postRead(ByteBuffer.allocate(1));
        pair.one.gone(pair.two.id(), "its machine was switched off");
        assertThatThrownBy(() -> done(reading))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN))
                .hasMessageContaining("its machine was switched off");
        assertThatThrownBy(() -> done(ends.client.postWrite(ByteBuffer.allocate(1))))
                .hasMessageContaining("its machine was switched off");
    }

    /// Who reads by looking may find what the loop was about to tell of, and leave a part.
    @ParameterizedTest
    @Stacks({"tcp", "shm", "multiplex > tcp", "tls > tcp", "compress > tcp"})
    void who_has_read_a_part_is_told_of_the_rest(String stack) throws Exception {
        var ends = connect(stack);
        for (int i = 0; i < 300; i++) {
            write(ends.client, new byte[8]);
            write(ends.client, new byte[8]);
            readAll(ends.server, ByteBuffer.allocate(i % 2 == 0 ? 8 : 3));
            var told = new CompletableFuture<Void>();
            ends.server.whenReadable(() -> told.complete(null));
            told.get(20, TimeUnit.SECONDS);
            readAll(ends.server, ByteBuffer.allocate(i % 2 == 0 ? 8 : 13));
        }
    }

    private static void readAll(VLink link, ByteBuffer into) {
        while (into.hasRemaining()) {
            assertThat(link.read(into)).isNotNegative();
        }
    }

    @Test
    void a_cancelled_read_loses_nothing() {
        var ends = connect("shm");
        var reading = ends.server.postRead(ByteBuffer.allocate(10));
        assertThat(reading.cancel()).isTrue();
        write(ends.client, random(10, 4));
        assertThat(read(ends.server, 10)).isEqualTo(random(10, 4));
        assertThatThrownBy(reading::result).hasMessage("it was cancelled");
    }

    /// The loop's thread and no other, however many there are.
    @Test
    @Tag("slow")
    void many_share_one_loop() {
        int count = 200;
        var listener = pair.to.listen("many", "auto", count);
        var echoed = new AtomicInteger();
        accept(listener, echoed);
        var clients = new ArrayList<VLink>();
        for (int i = 0; i < count; i++) {
            clients.add(done(pair.from.connect(pair.two.id(), "many", "auto", "", LIMIT)));
        }
        for (int i = 0; i < count; i++) {
            write(clients.get(i), new byte[] {(byte) i});
        }
        for (int i = 0; i < count; i++) {
            assertThat(read(clients.get(i), 1)).containsExactly((byte) i);
        }
        assertThat(echoed).hasValue(count);
        assertThat(
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals(pair.name + "/vlinks"))
                                .count())
                .isEqualTo(2);
    }

    private static void accept(VLinkListener listener, AtomicInteger echoed) {
        listener.postAccept()
                .whenDone(one -> {
                    VLink link;
                    try {
                        link = one.result();
                    } catch (VLinkFailed _) {
                        return; // the test is over
                    }
                    accept(listener, echoed);
                    echo(link, echoed);
                });
    }

    private static void echo(VLink link, AtomicInteger echoed) {
        var buffer = ByteBuffer.allocate(16);
        link.postRead(buffer)
                .whenDone(read -> {
                    try {
                        if (read.result() < 0) {
                            return;
                        }
                    } catch (VLinkFailed _) {
                        return; // the test is over
                    }
                    echoed.incrementAndGet();
                    link.postWrite(buffer.flip()).whenDone(_ -> echo(link, echoed));
                });
    }

    @Test
    void a_node_that_closes_ends_its_vlinks() {
        var ends = connect("shm");
        var reading = ends.server.postRead(ByteBuffer.allocate(1));
        var accepting = pair.from.listen("another", "auto", 1).postAccept();
        pair.one.close();
        assertThat(done(reading)).isEqualTo(-1);
        assertThatThrownBy(() -> done(accepting)).hasMessage("the listener 'another' was closed");
        assertThatThrownBy(() -> done(pair.from.connect(pair.two.id(), "x", "auto", "", LIMIT)))
                .hasMessage("the node was closed");
    }

    @Test
    void a_listener_may_leave_the_stack_to_who_connects() {
        pair.to.listen("auto", "auto", 3);
        pair.to.listen("any", VLinks.ANY, 3);
        done(pair.from.connect(pair.two.id(), "any", "checksum > tcp", "", LIMIT));
        done(pair.from.connect(pair.two.id(), "any", "auto", "", LIMIT));
        assertThatThrownBy(() ->
                        done(pair.from.connect(pair.two.id(), "auto", "checksum > tcp", "", LIMIT)))
                .hasMessageContaining("go over 'auto', which is not made as checksum > tcp");
        assertThatThrownBy(() -> pair.from.connect(pair.two.id(), "any", VLinks.ANY, "", LIMIT))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_may_lose_frames_is_refused() {
        assertThatThrownBy(() -> pair.to.listen("x", "udp", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("put 'reliable >' above it");
        assertThatThrownBy(() -> pair.to.listen("x", "auto", 0))
                .isInstanceOf(IllegalArgumentException.class);
        pair.to.listen("x", "auto", 1);
        assertThatThrownBy(() -> pair.to.listen("x", "auto", 1))
                .hasMessage("this node listens for VLinks to 'x' already");
    }
}
