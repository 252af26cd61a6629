package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.ibidem.Background;
import org.ibidem.link.StreamPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// One stream over several connections, some of which come to harm.
@Timeout(120)
class ParallelTest {
    private static final long LIMIT = 60_000_000_000L;
    private static final int MANY = 6_000_000;
    private static final int ROOM = 100_000;

    private Lines lines;
    private StreamPath one;
    private StreamPath other;

    @BeforeEach
    void open() throws IOException {
        lines = new Lines();
    }

    @AfterEach
    void close() {
        if (one != null) {
            one.reset();
            other.reset();
        }
        lines.close();
    }

    private void pair(Parallel options) throws IOException {
        one = new ParallelFilter().over(lines.lower(true), options).stream();
        other = new ParallelFilter().over(lines.lower(false), options).stream();
    }

    private void pair(int streams) throws IOException {
        pair(new Parallel(streams, Duration.ofSeconds(20)));
    }

    static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited too long").isLessThan(end);
            Thread.yield();
        }
    }

    private static byte[] bytes(int seed, int count) {
        var bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static void write(StreamPath to, byte[] what, Random sizes) throws IOException {
        var all = ByteBuffer.allocateDirect(what.length).put(what).flip();
        for (int end = 0; end < what.length; ) {
            int most = sizes.nextInt(3) == 0 ? 300_000 : 3_000;
            end = Math.min(what.length, end + 1 + sizes.nextInt(most));
            all.limit(end);
            while (all.hasRemaining()) {
                if (to.write(all) == 0) {
                    Thread.yield();
                }
            }
            if (sizes.nextBoolean()) {
                flush(to);
            }
        }
        flush(to);
    }

    private static void flush(StreamPath to) throws IOException {
        while (!to.flush()) {
            Thread.yield();
        }
    }

    static byte[] read(StreamPath from, int count) throws IOException {
        var all = new byte[count];
        var room = ByteBuffer.allocateDirect(ROOM);
        for (int have = 0; have < count; ) {
            room.clear().limit(Math.min(count - have, ROOM));
            int got = from.read(room);
            assertThat(got).as("after %d", have).isNotNegative();
            room.flip().get(all, have, got);
            have += got;
            if (got == 0) {
                Thread.yield();
            }
        }
        return all;
    }

    /// Both directions at once; `meanwhile` does harm.
    private void carries(int seed, Background.Action meanwhile) throws Exception {
        var there = Background.run(() -> write(one, bytes(seed, MANY), new Random(seed)));
        var back = Background.run(() -> write(other, bytes(-seed, MANY), new Random(-seed)));
        var read = Background.call(() -> read(one, MANY));
        var readThere = Background.call(() -> read(other, MANY));
        meanwhile.run();
        assertThat(readThere.join()).isEqualTo(bytes(seed, MANY));
        assertThat(read.join()).isEqualTo(bytes(-seed, MANY));
        there.join();
        back.join();
    }

    /// Waits until this line has carried some.
    private void carried(int line, long bytes) {
        eventually(
                () -> lines.made.size() > line && lines.made.get(line).one().written.get() > bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    void what_is_written_is_read_in_both_directions_at_once(int streams) throws Exception {
        pair(streams);
        carries(1, () -> {});
        eventually(() -> lines.made.size() == streams);
    }

    @Test
    void what_is_long_takes_all_of_them() throws Exception {
        pair(4);
        eventually(() -> lines.made.size() == 4);
        carries(2, () -> {});
        carries(3, () -> {});
        for (int line = 0; line < 4; line++) {
            carried(line, Wire.PIECE);
        }
    }

    @Test
    void what_is_short_takes_the_first() throws Exception {
        pair(3);
        carries(1, () -> {});
        eventually(() -> lines.made.size() == 3);
        long before = lines.made.get(1).one().written.get() + lines.made.get(2).one().written.get();
        for (int i = 0; i < 200; i++) {
            write(one, bytes(i, 500), new Random(i));
            assertThat(read(other, 500)).isEqualTo(bytes(i, 500));
        }
        long after = lines.made.get(1).one().written.get() + lines.made.get(2).one().written.get();
        assertThat(after - before).as("words alone, more in more time").isLessThan(10_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void one_that_is_reset_is_replaced_and_nothing_is_lost(int which) throws Exception {
        pair(3);
        eventually(() -> lines.made.size() == 3);
        carries(
                which,
                () -> {
                    carried(which, 200_000);
                    lines.made.get(which).other().below.reset();
                });
        eventually(() -> lines.made.size() == 4);
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {0, 1})
    void one_that_goes_silent_is_replaced_and_nothing_is_lost(int which) throws Exception {
        pair(new Parallel(3, Duration.ofSeconds(1)));
        eventually(() -> lines.made.size() == 3);
        carries(
                which,
                () -> {
                    carried(which, 200_000);
                    lines.made.get(which).swallow();
                });
        eventually(() -> lines.made.size() >= 4);
    }

    /// That more may be sent goes by one connection, and once.
    @Test
    void who_may_send_more_hears_of_it_though_the_connection_that_was_to_say_so_is_lost()
            throws Exception {
        pair(2);
        eventually(() -> lines.made.size() == 2);
        long full = writeUntilFull();
        lines.made.getFirst().swallow();
        assertThat(read(other, Wire.WINDOW)).isEqualTo(new byte[Wire.WINDOW]);
        lines.made.getFirst().speak();
        lines.made.getFirst().other().below.reset();
        var more = Background.run(() -> write(one, bytes(1, ROOM), new Random(1)));
        int left = (int) full - Wire.WINDOW;
        assertThat(read(other, left)).isEqualTo(new byte[left]);
        assertThat(read(other, ROOM)).isEqualTo(bytes(1, ROOM));
        more.join();
    }

    /// All that is taken of what nobody reads. What has left has then been said to have come, as a
    /// rule: where this machine stood still for that long, the test is only less strict.
    private long writeUntilFull() throws IOException {
        long all = Wire.WINDOW + Outgoing.UNSENT;
        var zeros = ByteBuffer.allocateDirect(ROOM);
        for (long written = 0; written < all; Thread.yield()) {
            written += one.write(zeros.clear());
        }
        long said = -1;
        for (long since = System.nanoTime(); System.nanoTime() - since < 200_000_000; ) {
            long now = lines.written();
            since = now == said ? since : System.nanoTime();
            said = now;
            Thread.yield();
        }
        return all;
    }

    private Lines.Line unharmed(Random random) {
        var all =
                lines.made.stream()
                        .filter(line -> line.one().isOpen() && line.other().isOpen())
                        .filter(line -> !line.one().swallows)
                        .toList();
        return all.get(random.nextInt(all.size()));
    }

    /// What harm is done follows from the seed.
    private void soaked(int seed) throws Exception {
        pair(new Parallel(4, Duration.ofSeconds(3)));
        eventually(() -> lines.made.size() == 4);
        var random = new Random(seed);
        var there = Background.run(() -> write(one, bytes(seed, MANY), new Random(seed)));
        var read = Background.call(() -> read(other, MANY));
        for (int harm = 0; harm < 3 && !read.isDone(); harm++) {
            int before = lines.made.size();
            var line = unharmed(random);
            if (random.nextInt(3) == 0) {
                line.swallow();
            } else {
                line.one().below.reset();
            }
            eventually(() -> lines.made.size() > before || read.isDone());
        }
        assertThat(read.join()).isEqualTo(bytes(seed, MANY));
        there.join();
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(ints = {1, 2, 3})
    void harm_of_any_kind_loses_nothing(int seed) throws Exception {
        soaked(seed);
    }

    @Test
    @Tag("full")
    @Timeout(1_200) // most wait for a silence
    void much_harm_loses_nothing() throws Exception {
        for (int seed = 100; seed < 200; seed++) {
            close();
            open();
            soaked(seed);
        }
    }

    @Test
    void a_writer_whom_nobody_reads_is_held_back() throws Exception {
        pair(3);
        var bytes = ByteBuffer.allocateDirect(1 << 20);
        long taken = 0;
        for (int idle = 0; idle < 2_000; ) {
            int got = one.write(bytes.clear());
            taken += got;
            idle = got == 0 ? idle + 1 : 0;
            assertThat(taken).isLessThanOrEqualTo(2 * Wire.WINDOW);
        }
        assertThat(taken).isPositive();
    }

    @Test
    void what_was_flushed_before_a_close_arrives_and_then_the_end() throws Exception {
        pair(3);
        eventually(() -> lines.made.size() == 3);
        var writing =
                Background.run(() -> {
                    write(one, bytes(1, MANY), new Random(1));
                    one.close();
                });
        assertThat(read(other, MANY)).isEqualTo(bytes(1, MANY));
        writing.join();
        ends();
        assertThat(one.isOpen()).isFalse();
    }

    private void ends() {
        var room = ByteBuffer.allocateDirect(10);
        eventually(() -> {
            try {
                return other.read(room) < 0;
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void when_the_last_has_ended_the_stream_has() throws Exception {
        pair(1);
        write(one, bytes(1, 1_000), new Random(1));
        assertThat(read(other, 1_000)).isEqualTo(bytes(1, 1_000));
        lines.made.get(0).one().below.reset();
        ends();
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                other.write(ByteBuffer.allocateDirect(1_000));
                            }
                        })
                .isInstanceOf(IOException.class);
    }

    @Test
    void options_that_mean_nothing_are_refused() {
        assertThatThrownBy(() -> new Parallel(65, Duration.ofSeconds(1)))
                .hasMessageContaining("1 to 64 streams");
        assertThatThrownBy(() -> new Parallel(1, Duration.ofMillis(1)))
                .hasMessageContaining("50ms to 10min");
    }
}
