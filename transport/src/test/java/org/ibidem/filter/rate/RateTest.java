package org.ibidem.filter.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ibidem.arbitration.ManualClock;
import org.ibidem.arbitration.Threads;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.config.NotationException;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Catalog;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.NoLower;
import org.ibidem.stack.Stack;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How much links send in a time that the test lets pass, and who waits for whom.
@Timeout(60)
class RateTest {
    /// 1 MB a second: a byte each microsecond; 100 kB at once, 25 kB in one turn.
    private static final Rate ONE = new Rate(1_000_000, 100_000, "");

    private static final Rate SHARED = new Rate(1_000_000, 100_000, "bulk");
    private static final int BURST = 100_000;
    private static final int TURN = 25_000;

    private final ManualClock clock = new ManualClock();
    private final Threads threads = new Threads("node", clock);
    private final Shares shares = new Shares();
    private final RateFilter filter = new RateFilter(shares);

    @AfterEach
    void close() {
        threads.close();
    }

    private void pass(int millis) {
        clock.advance(Duration.ofMillis(millis));
    }

    /// A line that takes so many bytes in all.
    private static final class Line implements ByteStream {
        int room = Integer.MAX_VALUE;
        boolean closed;

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (closed) {
                throw new IOException("closed");
            }
            int taken = Math.min(room, from.remaining());
            room -= taken;
            from.position(from.position() + taken);
            return taken;
        }

        @Override
        public int read(ByteBuffer into) {
            return 0;
        }

        @Override
        public @Nullable Waitable readable() {
            return null;
        }

        @Override
        public @Nullable Waitable writable() {
            return null;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private ByteStream over(ByteStream below, Rate rate) throws IOException {
        return filter.over(below, rate, new NoLower(threads));
    }

    private ByteStream stream(Rate rate) throws IOException {
        return over(new Line(), rate);
    }

    /// Writes until it may not.
    private static int written(ByteStream to, int most) throws IOException {
        var bytes = ByteBuffer.allocateDirect(most);
        while (bytes.hasRemaining() && to.write(bytes) > 0) {
            // goes on
        }
        return bytes.position();
    }

    @Test
    void as_much_is_sent_as_the_limit_lets_through_and_a_burst_after_a_pause() throws IOException {
        var stream = stream(ONE);
        assertThat(written(stream, 1 << 20)).isEqualTo(BURST);
        assertThat(written(stream, 1 << 20)).isZero();
        int sent = 0;
        for (int i = 0; i < 1_000; i++) {
            pass(1);
            sent += written(stream, 1 << 20);
        }
        assertThat(sent).isBetween(1_000_000 - TURN, 1_000_000);
        pass(60_000);
        assertThat(written(stream, 1 << 20)).isBetween(BURST, BURST + TURN);
    }

    @Test
    void less_than_the_limit_is_never_held_up() throws IOException {
        var stream = stream(ONE);
        for (int i = 0; i < 1_000; i++) {
            assertThat(written(stream, 900)).isEqualTo(900);
            pass(1);
        }
    }

    @Test
    void what_the_line_does_not_take_is_not_counted() throws IOException {
        var line = new Line();
        line.room = 10_000;
        var stream = over(line, ONE);
        assertThat(written(stream, 1 << 20)).isEqualTo(10_000);
        assertThat(written(stream, 1 << 20)).isZero();
        line.room = Integer.MAX_VALUE;
        assertThat(written(stream, 1 << 20)).isEqualTo(BURST - 10_000);
    }

    @Test
    void who_waits_sleeps_and_is_rung_for_when_his_turn_has_come() throws Exception {
        var stream = stream(ONE);
        var rung = new CompletableFuture<Boolean>();
        var sleepy = Waitable.of(stream.writable());
        sleepy.bell(() -> rung.complete(true));
        written(stream, 1 << 20);
        assertThat(sleepy.interest()).as("a line that takes more wakes nobody").isZero();
        assertThat(sleepy.arm()).isEqualTo(Armed.SLEEP);
        pass(TURN / 1_000 - 1);
        assertThat(rung).isNotDone();
        assertThat(threads.size()).as("one task waits, nobody looks again and again").isOne();
        pass(1);
        assertThat(rung.get(30, TimeUnit.SECONDS)).isTrue();
        sleepy.disarm();
        assertThat(written(stream, 1 << 20)).isEqualTo(TURN);
    }

    @Test
    void who_has_his_turn_does_not_fall_asleep() throws IOException {
        var stream = stream(ONE);
        written(stream, 1 << 20);
        pass(100);
        assertThat(Waitable.of(stream.writable()).arm()).isEqualTo(Armed.READY);
    }

    @Test
    void who_waits_for_the_line_sleeps_as_the_line_does() throws IOException {
        var line = new Line();
        line.room = 10;
        var stream = over(line, ONE);
        written(stream, 1_000);
        assertThat(Waitable.of(stream.writable()).arm())
                .as("this one cannot sleep")
                .isEqualTo(Armed.READY);
        assertThat(threads.size()).isZero();
    }

    @Test
    void a_close_wakes_who_waits_and_leaves_nothing_behind() throws Exception {
        var stream = stream(SHARED);
        var rung = new CompletableFuture<Boolean>();
        var sleepy = Waitable.of(stream.writable());
        sleepy.bell(() -> rung.complete(true));
        written(stream, 1 << 20);
        sleepy.arm();
        assertThat(shares.size()).isOne();
        stream.close();
        stream.close();
        assertThat(rung.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(threads.size()).isZero();
        assertThat(shares.size()).isZero();
        assertThatThrownBy(() -> written(stream, 1)).hasMessage("closed");
    }

    @Test
    void in_a_node_that_is_closed_nobody_falls_asleep() throws IOException {
        var stream = stream(ONE);
        written(stream, 1 << 20);
        threads.close();
        assertThat(Waitable.of(stream.writable()).arm()).isEqualTo(Armed.READY);
        stream.close();
    }

    @Test
    void links_of_one_share_take_turns_and_have_the_limit_together() throws IOException {
        var links = List.of(stream(SHARED), stream(SHARED), stream(SHARED));
        var sent = new int[links.size()];
        for (int i = 0; i < 1_500; i++) {
            for (int link = 0; link < sent.length; link++) {
                sent[link] += written(links.get(link), link == 0 ? 1 << 20 : 40_000);
            }
            pass(1);
        }
        assertThat(Arrays.stream(sent).sum()).isBetween(1_500_000, 1_500_000 + BURST + TURN);
        for (int link = 1; link < sent.length; link++) {
            assertThat(sent[link]).isBetween(sent[0] - BURST - TURN, sent[0] + TURN);
        }
        links.forEach(ByteStream::close);
    }

    /// It waits for one turn of each of the others, not for all that they have to send.
    @Test
    void a_short_message_beside_bulk_waits_for_one_turn_of_each() throws IOException {
        var bulk = List.of(stream(SHARED), stream(SHARED));
        var message = stream(SHARED);
        bulk.forEach(each -> {
            try {
                written(each, 1 << 20);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        int millis = 0;
        while (written(message, 100) == 0) {
            pass(1);
            millis++;
            for (var each : bulk) {
                written(each, 1 << 20);
            }
        }
        assertThat(millis).isBetween(1, 2 * TURN / 1_000 + 1);
        Stream.concat(bulk.stream(), Stream.of(message)).forEach(ByteStream::close);
    }

    @Test
    void who_does_not_use_his_turn_holds_nobody_up() throws IOException {
        var lazy = stream(SHARED);
        var busy = stream(SHARED);
        written(busy, 1 << 20);
        assertThat(written(lazy, 1)).as("it stands in the queue, and comes back no more").isZero();
        int sent = 0;
        for (int i = 0; i < 200; i++) {
            pass(1);
            sent += written(busy, 1 << 20);
        }
        assertThat(sent).isBetween(200_000 - TURN - 1, 200_000);
        lazy.close();
        busy.close();
    }

    @Test
    void one_who_leaves_makes_place_for_who_sleeps_behind_him() throws Exception {
        var first = stream(SHARED);
        var second = stream(SHARED);
        var rung = new CompletableFuture<Boolean>();
        var sleepy = Waitable.of(second.writable());
        sleepy.bell(() -> rung.complete(true));
        written(first, 1 << 20);
        written(second, 100);
        sleepy.arm();
        first.close();
        pass(1);
        assertThat(rung.get(30, TimeUnit.SECONDS)).as("100 bytes take 0.1 ms").isTrue();
        second.close();
    }

    @Test
    void each_node_has_shares_of_its_own() throws IOException {
        try (var others = new Threads("other", clock)) {
            var here = stream(SHARED);
            var there = filter.over(new Line(), SHARED, new NoLower(others));
            assertThat(written(here, 1 << 20)).isEqualTo(BURST);
            assertThat(written(there, 1 << 20)).isEqualTo(BURST);
            here.close();
            there.close();
        }
    }

    @Test
    void a_share_has_one_limit() throws IOException {
        var one = stream(SHARED);
        assertThatThrownBy(() -> stream(new Rate(2_000_000, 100_000, "bulk")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "the links of the share 'bulk' have the limit 1000000 with a burst of 100000"
                                + " bytes, not 2000000 with 100000: write the same for all, or name"
                                + " another");
        one.close();
        stream(new Rate(2_000_000, 100_000, "bulk")).close();
    }

    /// A link that takes every frame.
    private static final class Frames implements FrameLink, FrameSink {
        private final Frame memory = new Frame();
        final AtomicInteger frames = new AtomicInteger();
        boolean pushes = true;

        Frames() {
            var pool = new BufferPool();
            memory.show(pool.borrow().segment(), 0, pool.size());
        }

        @Override
        public boolean claim(Frame room, int atLeast) {
            room.show(memory.memory, 0, memory.limit);
            return true;
        }

        @Override
        public boolean commit(Frame room, int flags) {
            frames.incrementAndGet();
            return claim(room, 1) && pushes;
        }

        @Override
        public boolean push() {
            return pushes;
        }

        @Override
        public int largest() {
            return (int) memory.limit;
        }

        @Override
        public FrameSink sink() {
            return this;
        }

        @Override
        public FrameSource source() {
            throw new AssertionError("nobody reads");
        }

        @Override
        public void close() {}
    }

    @Test
    void frames_are_held_up_and_not_cut() throws IOException {
        var link = filter.over(new Frames(), 0, ONE, new NoLower(threads));
        var room = new Frame();
        int size = link.sink().largest();
        long sent = 0;
        for (int i = 0; i < 1_000; i++) {
            while (link.sink().claim(room, size)) {
                assertThat(room.room()).isEqualTo(size);
                room.position += size;
                link.sink().commit(room, 0);
                sent += size;
            }
            assertThat(Waitable.of(link.sink()).arm()).isEqualTo(Armed.SLEEP);
            Waitable.of(link.sink()).disarm();
            pass(1);
        }
        assertThat(sent).isBetween(1_000_000L, 1_000_000L + BURST + TURN + size);
        link.close();
    }

    @Test
    void a_frame_that_may_be_smaller_is_as_large_as_one_turn() throws IOException {
        var frames = new Frames();
        var link = filter.over(frames, 0, ONE, new NoLower(threads));
        var room = new Frame();
        assertThat(link.sink().claim(room, 100)).isTrue();
        assertThat(room.room()).isEqualTo(TURN);
        room.position += 60;
        link.sink().commit(room, 0);
        assertThat(room.room()).as("the next at once").isEqualTo(TURN);
        room.position += room.room();
        link.sink().commit(room, 0);
        assertThat(room.room()).as("behind that it is asked for").isZero();
        assertThat(frames.frames).hasValue(2);
        link.close();
    }

    @Test
    void who_cannot_push_waits_for_what_lies_below() throws IOException {
        var frames = new Frames();
        var link = filter.over(frames, 0, ONE, new NoLower(threads));
        var room = new Frame();
        while (link.sink().claim(room, TURN)) {
            room.position += TURN;
            link.sink().commit(room, 0);
        }
        assertThat(link.sink().push()).isTrue();
        assertThat(Waitable.of(link.sink()).arm()).isEqualTo(Armed.SLEEP);
        Waitable.of(link.sink()).disarm();
        frames.pushes = false;
        assertThat(link.sink().push()).isFalse();
        assertThat(Waitable.of(link.sink()).arm()).isEqualTo(Armed.READY);
        link.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate(limit=40M) > tcp",
                "rate(limit=1k, burst=8k) > shm",
                "rate(limit=40M, share=bulk) > udp",
                "compress > rate(limit=40M) > tls > parallel > tcp",
                "rate > tcp"
            })
    void stacks_with_it_are_read_and_printed(String text) {
        assertThat(Stack.parse(text, Catalog.found())).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rate(limit=0) > tcp | limit is 1k to 1024G bytes a second, not 0",
                "rate(limit=1M, burst=1) > tcp | burst is 4k to 1024G bytes, or 0",
                "rate(limit=fast) > tcp | a whole number such as 7, 8k, 2M or 1G",
                "rate(name=bulk) > tcp | no option of rate",
                "parallel > rate > tcp | write it right before tcp"
            })
    void stacks_that_will_not_do_are_refused(String text, String why) {
        assertThatThrownBy(() -> Stack.parse(text, Catalog.found()))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining(why);
    }
}
