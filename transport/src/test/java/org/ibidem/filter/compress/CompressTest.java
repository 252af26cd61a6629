package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.ibidem.Background;
import org.ibidem.Vectors;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Codecs;
import org.ibidem.codec.Deflate;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.StreamOver;
import org.ibidem.link.TestLower;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks between two ends, and what becomes of those that are none.
@Timeout(60)
class CompressTest {
    private static final int MANY = 3_000_000;
    private static final Codecs USUAL = Codecs.of(List.of(new Deflate()));

    private TestLower[] lowers = {};

    @BeforeEach
    void open() throws IOException {
        lowers = TestLower.pair();
    }

    @AfterEach
    void close() {
        for (var lower : lowers) {
            lower.stream().close();
        }
    }

    /// What lies below one end: how many bytes have passed.
    private static class Counted extends StreamOver {
        long bytes;

        Counted(ByteStream below) {
            super(below);
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int taken = below.write(from);
            bytes += taken;
            return taken;
        }
    }

    private CompletableFuture<ByteStream> end(
            int index, ByteStream below, Compress options, Codecs codecs) {
        return Background.call(
                () -> new CompressFilter(codecs).over(below, options, lowers[index]));
    }

    private ByteStream[] pair(String level) {
        return pair(lowers[0].stream(), new Compress(level, "auto"));
    }

    private ByteStream[] pair(ByteStream below, Compress options) {
        var one = end(0, below, options, USUAL);
        var other = end(1, lowers[1].stream(), options, USUAL);
        return new ByteStream[] {one.join(), other.join()};
    }

    private static byte[] text(int seed, int bytes) {
        var random = new Random(seed);
        var words = new StringBuilder();
        while (words.length() < bytes) {
            words.append("public static final int WORD_").append(random.nextInt(100)).append("; ");
        }
        return words.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] noise(int seed, int bytes) {
        var noise = new byte[bytes];
        new Random(seed).nextBytes(noise);
        return noise;
    }

    /// Text, noise and text, in pieces of any size, some of them flushed.
    private static byte[] mixed(int seed) {
        var all = text(seed, MANY);
        System.arraycopy(noise(seed, MANY / 3), 0, all, MANY / 3, MANY / 3);
        return all;
    }

    private static void write(ByteStream to, byte[] what, Random sizes) throws IOException {
        var bytes = ByteBuffer.allocateDirect(what.length).put(what).flip();
        for (int end = 0; end < what.length; ) {
            int most = sizes.nextInt(4) == 0 ? 400_000 : 2_000;
            end = Math.min(what.length, end + 1 + sizes.nextInt(most));
            bytes.limit(end);
            while (bytes.hasRemaining()) {
                if (to.write(bytes) == 0) {
                    Thread.onSpinWait();
                }
            }
            if (sizes.nextBoolean()) {
                flush(to);
            }
        }
        flush(to);
    }

    private static void flush(ByteStream to) throws IOException {
        while (!to.flush()) {
            Thread.onSpinWait();
        }
    }

    private static byte[] read(ByteStream from, int count, Random sizes) throws IOException {
        var all = new byte[count];
        int have = 0;
        var room = ByteBuffer.allocateDirect(300_000);
        while (have < count) {
            room.clear().limit(1 + sizes.nextInt(Math.min(count - have, room.capacity())));
            int got = from.read(room);
            assertThat(got).isNotNegative();
            room.flip().get(all, have, got);
            have += got;
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "off", "1", "6"})
    void what_is_written_is_read_in_both_directions_at_once(String level) throws Exception {
        var ends = pair(level);
        var there = Background.run(() -> write(ends[0], mixed(1), new Random(1)));
        var back = Background.run(() -> write(ends[1], mixed(2), new Random(2)));
        var read = Background.call(() -> read(ends[0], MANY, new Random(3)));
        assertThat(read(ends[1], MANY, new Random(4))).isEqualTo(mixed(1));
        assertThat(read.join()).isEqualTo(mixed(2));
        there.join();
        back.join();
    }

    private long sent(byte[] what, String level) throws Exception {
        var counted = new Counted(lowers[0].stream());
        var ends = pair(counted, new Compress(level, "auto"));
        var writing = Background.run(() -> write(ends[0], what, new Random(1)));
        assertThat(read(ends[1], what.length, new Random(2))).isEqualTo(what);
        writing.join();
        return counted.bytes;
    }

    @Test
    void text_becomes_less() throws Exception {
        assertThat(sent(text(1, MANY), "6")).isLessThan(MANY / 5);
    }

    @Test
    void what_cannot_become_less_becomes_hardly_more() throws Exception {
        assertThat(sent(noise(1, MANY), "6")).isBetween((long) MANY, MANY + 8_000L);
    }

    @Test
    void a_line_that_holds_nobody_up_gets_bytes_as_they_are() throws Exception {
        assertThat(sent(text(1, 100_000), "auto")).isGreaterThan(100_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 2_000, 100_000})
    void what_is_flushed_is_on_its_way_at_once(int size) throws Exception {
        var ends = pair("1");
        var bytes = ByteBuffer.allocateDirect(size).put(text(1, size)).flip();
        assertThat(ends[0].write(bytes)).isEqualTo(size);
        assertThat(ends[0].flush()).as("nothing is kept back").isTrue();
        assertThat(read(ends[1], size, new Random(1))).isEqualTo(text(1, size));
    }

    @Test
    void a_writer_whom_nobody_reads_is_held_back() throws Exception {
        var ends = pair("1");
        var bytes = ByteBuffer.allocateDirect(1 << 20).put(noise(1, 1 << 20));
        long taken = 0;
        int got;
        int idle = 0;
        do {
            got = ends[0].write(bytes.flip());
            bytes.clear();
            taken += got;
            idle = got == 0 ? idle + 1 : 0;
            assertThat(taken).isLessThan(64 << 20);
        } while (idle < 10_000);
        assertThat(taken).isPositive();
    }

    /// A codec that takes its time, to find in the end that it can do nothing.
    private static Codec slow(CountDownLatch until) {
        return new VainCodec(
                7,
                "slow",
                () -> {
                    try {
                        until.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    /// A channel that can be written all the time would keep its waiter awake.
    @Test
    void who_waits_for_a_codec_sleeps_and_is_rung_for() throws Exception {
        var until = new CountDownLatch(1);
        var slow = Codecs.of(List.of(slow(until)));
        var one = end(0, lowers[0].stream(), new Compress("1", "auto"), slow);
        var other = end(1, lowers[1].stream(), new Compress("1", "auto"), slow).join();
        var sleepy = Waitable.of(one.join().writable());
        var rung = new CompletableFuture<Boolean>();
        sleepy.bell(() -> rung.complete(true));
        var bytes = ByteBuffer.allocateDirect(MANY).put(text(1, MANY)).flip();
        int taken = one.join().write(bytes);
        assertThat(taken).isBetween(1, MANY - 1);
        assertThat(one.join().flush()).as("it is in work").isFalse();
        assertThat(sleepy.interest()).isZero();
        assertThat(sleepy.arm()).isEqualTo(Armed.SLEEP);
        until.countDown();
        assertThat(rung.join()).isTrue();
        sleepy.disarm();
        var writing = Background.run(() -> flush(one.join()));
        assertThat(read(other, taken, new Random(1))).isEqualTo(text(1, taken));
        writing.join();
    }

    @Test
    void who_has_read_a_part_does_not_sleep_over_the_rest() throws Exception {
        var ends = pair("6");
        write(ends[0], text(1, 50_000), new Random(1));
        read(ends[1], 20_001, new Random(1));
        var sleepy = Waitable.of(ends[1].readable());
        assertThat(sleepy.arm()).isEqualTo(Armed.READY);
        sleepy.disarm();
    }

    @Test
    void bytes_that_end_are_said_to_end() throws Exception {
        var ends = pair("6");
        write(ends[0], text(1, 10_000), new Random(1));
        ends[0].close();
        read(ends[1], 10_000, new Random(1));
        var room = ByteBuffer.allocateDirect(10);
        int got = 0;
        while (got == 0) {
            got = ends[1].read(room);
        }
        assertThat(got).isEqualTo(-1);
    }

    /// Written by hand at one end.
    private ByteStream receiving() throws IOException {
        raw(Vectors.read("filters").get("compress.greeting"));
        return end(1, lowers[1].stream(), new Compress(), USUAL).join();
    }

    private void raw(byte[] bytes) throws IOException {
        var all = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        while (all.hasRemaining()) {
            lowers[0].stream().write(all);
        }
    }

    @Test
    void blocks_are_those_of_the_page() throws IOException {
        var vectors = Vectors.read("filters");
        var receiving = receiving();
        assertThat(read(lowers[0].stream(), 2, new Random(1)))
                .isEqualTo(vectors.get("compress.greeting"));
        raw(vectors.get("compress.plain"));
        raw(vectors.get("compress.coded"));
        var expected = "123456789" + "abc".repeat(24);
        assertThat(read(receiving, expected.length(), new Random(2)))
                .asString(StandardCharsets.US_ASCII)
                .isEqualTo(expected);
        write(receiving, "123456789".getBytes(StandardCharsets.US_ASCII), new Random(5));
        var plain = vectors.get("compress.plain");
        assertThat(read(lowers[0].stream(), plain.length, new Random(3))).isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"empty", "long", "codec", "grown", "more", "less"})
    void what_is_no_block_closes_the_connection(String what) throws IOException {
        var receiving = receiving();
        raw(Vectors.read("filters").get("compress.bad." + what));
        var room = ByteBuffer.allocateDirect(1 << 20);
        assertThatThrownBy(
                        () -> {
                            while (receiving.read(room) == 0) {
                                Thread.onSpinWait();
                            }
                        })
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the peer sent a block")
                .hasMessageEndingWith("the connection was closed");
        assertThat(lowers[1].stream().isOpen()).isFalse();
    }

    /// One block of noise, in which no codec sees anything.
    private static final class Noise extends Counted {
        private final ByteBuffer block;

        Noise(ByteStream below, int bytes, int grown) {
            super(below);
            block =
                    ByteBuffer.allocate(Header.CODED + bytes)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(1 << Header.CODEC_SHIFT | bytes)
                            .putInt(grown)
                            .put(noise(7, bytes))
                            .flip();
        }

        @Override
        public int read(ByteBuffer into) {
            int some = Math.min(into.remaining(), block.remaining());
            into.put(into.position(), block, block.position(), some);
            into.position(into.position() + some);
            block.position(block.position() + some);
            return some;
        }
    }

    @Test
    void a_block_that_is_none_gives_back_what_was_borrowed_for_it() {
        var workshop = new Workshop(1);
        var noise = new Noise(lowers[1].stream(), 100_000, 100_000);
        var receiving = new Receiving(noise, List.of(new Deflate()), workshop);
        assertThatThrownBy(() -> receiving.read(ByteBuffer.allocateDirect(10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a block that is none");
        assertThat(workshop.kept()).as("for the block, and for what it grows to").isEqualTo(2);
    }

    private static Codec strange(int number) {
        return new VainCodec(
                number,
                "strange" + number,
                () -> {
                    throw new AssertionError("not agreed on");
                });
    }

    @Test
    void ends_without_a_common_codec_leave_bytes_as_they_are() throws Exception {
        var options = new Compress("1", "auto");
        var one = end(0, lowers[0].stream(), options, Codecs.of(List.of(strange(200))));
        var other = end(1, lowers[1].stream(), options, USUAL);
        var writing = Background.run(() -> write(one.join(), mixed(1), new Random(1)));
        assertThat(read(other.join(), MANY, new Random(2))).isEqualTo(mixed(1));
        writing.join();
    }

    @Test
    void the_one_codec_that_is_asked_for_must_be_at_both_ends() {
        var both = Codecs.of(List.of(new Deflate(), strange(200)));
        var options = new Compress("auto", "strange200");
        var one = end(0, lowers[0].stream(), options, both);
        assertThat(reason(end(1, lowers[1].stream(), options, USUAL)))
                .isEqualTo("there is no codec 'strange200' here, only: deflate");
        lowers[1].stream().close();
        assertThat(reason(one)).contains("the other end ended the connection");
    }

    @Test
    void an_end_without_the_one_codec_is_told_so() {
        var one = end(0, lowers[0].stream(), new Compress("auto", "deflate"), USUAL);
        var strange = Codecs.of(List.of(strange(200)));
        end(1, lowers[1].stream(), new Compress(), strange).join();
        assertThat(reason(one)).contains("the other end has no codec 'deflate'");
    }

    @Test
    void a_level_that_there_is_not_is_refused() {
        assertThat(reason(end(0, lowers[0].stream(), new Compress("10", "auto"), USUAL)))
                .isEqualTo("deflate has the levels 1 to 9, not 10");
    }

    @Test
    void a_greeting_of_too_many_is_refused() throws IOException {
        raw(new byte[] {(byte) 200, 1});
        assertThat(reason(end(1, lowers[1].stream(), new Compress(), USUAL)))
                .contains("it has 200 codecs");
    }

    @Test
    void a_stream_that_loses_bytes_is_refused() {
        var lossy =
                new Counted(lowers[0].stream()) {
                    @Override
                    public DeliveryFaults delivery() {
                        return new DeliveryFaults(true, false, false);
                    }
                };
        assertThat(reason(end(0, lossy, new Compress(), USUAL)))
                .contains("write compress > reliable > udp");
    }

    @Test
    void options_that_mean_nothing_are_refused() {
        for (var level : List.of("", "0", "-0", "best", "100", "-100")) {
            assertThatThrownBy(() -> new Compress(level, "auto"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("auto, off or a number");
        }
    }

    @Test
    void codecs_have_numbers_of_their_own() {
        var twice = new ArrayList<Codec>(List.of(strange(1), new Deflate()));
        assertThatThrownBy(() -> Codecs.of(twice)).hasMessageContaining("have the number 1");
        assertThatThrownBy(() -> Codecs.of(List.of(strange(256))))
                .hasMessageContaining("there are 1 to 255");
    }

    private static String reason(CompletableFuture<?> failed) {
        try {
            failed.join();
            throw new AssertionError("it is open");
        } catch (CompletionException e) {
            return e.getCause().getMessage();
        }
    }
}
