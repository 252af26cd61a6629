package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.ibidem.Eventually.eventually;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Threads that sleep on a VLink by themselves.
@Timeout(100)
class OwnSleepTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final int TIMES = 2_000;

    private final Pair pair = new Pair();

    @AfterEach
    void close() {
        pair.close();
    }

    private record Ends(VLink client, VLink server) {}

    private Ends connect(String stack) {
        try (var listener = pair.to.listen("sleep", stack, 5)) {
            var accepting = listener.postAccept();
            var client =
                    VLinkTest.done(pair.from.connect(pair.two.id(), "sleep", stack, "", LIMIT));
            return new Ends(client, VLinkTest.done(accepting));
        }
    }

    /// Reads one byte, asleep meanwhile; -1: it has ended.
    private static int next(VLink link) {
        var one = ByteBuffer.allocate(1);
        while (true) {
            int done = link.read(one);
            if (done != 0) {
                return done < 0 ? -1 : one.get(0);
            }
            assertThat(link.sleepsReadable(LONG)).isTrue();
        }
    }

    private static void answer(VLink link) {
        for (int got = next(link); got >= 0; got = next(link)) {
            link.write(ByteBuffer.wrap(new byte[] {(byte) got}));
        }
        link.endOutput();
    }

    private static CompletableFuture<Void> at(VLink link, Consumer<VLink> does) {
        return CompletableFuture.runAsync(
                () -> does.accept(link), task -> new Thread(task).start());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls > tcp", "shm"})
    void two_that_answer_each_other_asleep_miss_nothing(String stack) throws Exception {
        var ends = connect(stack);
        var answering = at(ends.server, OwnSleepTest::answer);
        for (int i = 0; i < TIMES; i++) {
            int sent = i % 100;
            ends.client.write(ByteBuffer.wrap(new byte[] {(byte) sent}));
            assertThat(next(ends.client)).isEqualTo(sent);
        }
        ends.client.endOutput();
        assertThat(next(ends.client)).isEqualTo(-1);
        answering.get();
    }

    /// What a look brings in, nobody is told of any more by the network.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void a_look_by_another_takes_nothing_from_who_sleeps(String stack) throws Exception {
        var ends = connect(stack);
        var answering = at(ends.client, OwnSleepTest::answer);
        for (int i = 0; i < TIMES; i++) {
            ends.server.write(ByteBuffer.wrap(new byte[] {1}));
            while (ends.server.available() == 0) {
                ends.client.available();
            }
            assertThat(next(ends.server)).isEqualTo(1);
        }
        ends.server.endOutput();
        answering.get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void nor_from_who_has_posted_a_read(String stack) throws Exception {
        var ends = connect(stack);
        for (int i = 0; i < TIMES; i++) {
            var posted = ends.client.postRead(ByteBuffer.allocate(1));
            ends.server.write(ByteBuffer.wrap(new byte[] {1}));
            while (!posted.isDone()) {
                ends.client.available();
            }
            assertThat(posted.result()).isEqualTo(1);
        }
    }

    /// Their connection is the next one's: it must be free of who has slept on it.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void those_that_have_ended_leave_their_link_to_the_next(String stack) throws Exception {
        for (int i = 0; i < 20; i++) {
            var ends = connect(stack);
            var answering = at(ends.server, OwnSleepTest::answer);
            ends.client.write(ByteBuffer.wrap(new byte[] {1}));
            assertThat(next(ends.client)).isEqualTo(1);
            ends.client.endOutput();
            assertThat(next(ends.client)).isEqualTo(-1);
            answering.get();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void who_sleeps_hears_that_it_was_closed_here(String stack) throws Exception {
        var ends = connect(stack);
        var sleeping = at(ends.client, OwnSleepTest::answer);
        ends.server.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(next(ends.server)).isEqualTo(1); // it sleeps by itself from then on
        ends.client.close();
        assertFails(sleeping, Kind.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void who_sleeps_hears_of_a_reset(String stack) throws Exception {
        var ends = connect(stack);
        var sleeping = at(ends.client, OwnSleepTest::answer);
        ends.server.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(next(ends.server)).isEqualTo(1);
        ends.server.abort("enough");
        assertFails(sleeping, Kind.RESET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void who_sleeps_hears_that_the_node_was_closed(String stack) throws Exception {
        var ends = connect(stack);
        var sleeping = at(ends.client, OwnSleepTest::answer);
        ends.server.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(next(ends.server)).isEqualTo(1);
        pair.one.close();
        assertFails(sleeping, Kind.CLOSED);
    }

    private static void assertFails(CompletableFuture<Void> sleeping, Kind kind) {
        assertThatThrownBy(() -> sleeping.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    /// The loop goes on to tell whoever asks for that.
    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void watchers_are_told_where_a_thread_has_slept_before(String stack) throws Exception {
        var ends = connect(stack);
        ends.server.write(ByteBuffer.wrap(new byte[] {1}));
        assertThat(next(ends.client)).isEqualTo(1);
        ends.client.sleepsReadable(1);
        ends.client.sleepsReadable(1);
        var told = new CompletableFuture<Integer>();
        ends.client.whenReadable(() -> told.complete(1));
        ends.server.write(ByteBuffer.wrap(new byte[] {2}));
        assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(next(ends.client)).isEqualTo(2);
    }

    @Test
    void so_many_may_and_their_places_are_given_back() throws Exception {
        var all = new ArrayList<Ends>();
        do {
            all.add(connect("tcp"));
        } while (all.getLast().client.sleepsReadable(1));
        assertThat(all).hasSizeBetween(2, 1_000);
        all.forEach(ends -> ends.client.close());
        eventually("there is a place", () -> connect("tcp").client.sleepsReadable(1));
    }
}
