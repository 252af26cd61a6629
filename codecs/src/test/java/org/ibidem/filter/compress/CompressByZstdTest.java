package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.ibidem.Background;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Codecs;
import org.ibidem.codec.Deflate;
import org.ibidem.codecs.Zstd;
import org.ibidem.link.ByteStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The filter `compress` with zstd: what `CompressTest` shows of deflate, and which codec two ends
/// agree on.
@Timeout(60)
class CompressByZstdTest {
    private static final int MANY = 700_000;
    private static final Codecs DEFLATE = Codecs.of(List.of(new Deflate()));
    private static final Codecs BOTH = Codecs.of(List.of(new Deflate(), new Zstd()));
    private static final Codecs WITHOUT = Codecs.of(List.of(new Deflate(), new Unloadable()));

    private final Pipe[] pipes = Pipe.pair();

    /// As zstd is where its native code may not be loaded.
    private static final class Unloadable implements Codec {
        private final Codec zstd = new Zstd();

        @Override
        public int number() {
            return zstd.number();
        }

        @Override
        public String name() {
            return zstd.name();
        }

        @Override
        public List<Level> levels() {
            return zstd.levels();
        }

        @Override
        public @Nullable String objection() {
            return "its native code cannot be loaded: UnsatisfiedLinkError: it is for another moon";
        }

        @Override
        public Encoder encoder(int level) {
            throw new AssertionError("it cannot be used");
        }

        @Override
        public Decoder decoder() {
            throw new AssertionError("it cannot be used");
        }
    }

    private CompletableFuture<ByteStream> end(int index, Compress options, Codecs codecs) {
        var pipe = pipes[index];
        return Background.call(() -> new CompressFilter(codecs).over(pipe, options, pipe));
    }

    private ByteStream[] pair(Compress options, Codecs one, Codecs other) {
        var first = end(0, options, one);
        var second = end(1, options, other);
        return new ByteStream[] {first.join(), second.join()};
    }

    private ByteStream[] pair(String level) {
        return pair(new Compress(level, "zstd"), BOTH, BOTH);
    }

    private static byte[] text(int seed, int bytes) {
        var random = new Random(seed);
        var words = new StringBuilder();
        while (words.length() < bytes) {
            words.append("public static final int WORD_").append(random.nextInt(100)).append("; ");
        }
        return words.substring(0, bytes).getBytes(StandardCharsets.US_ASCII);
    }

    /// Text, noise and text.
    private static byte[] mixed(int seed) {
        var all = text(seed, MANY);
        var noise = new byte[MANY / 3];
        new Random(seed).nextBytes(noise);
        System.arraycopy(noise, 0, all, MANY / 3, noise.length);
        return all;
    }

    private static boolean write(ByteStream to, byte[] what, Random sizes) throws IOException {
        var bytes = ByteBuffer.allocateDirect(what.length).put(what).flip();
        for (int end = 0; end < what.length; ) {
            int most = sizes.nextInt(4) == 0 ? 400_000 : 2_000;
            end = Math.min(what.length, end + 1 + sizes.nextInt(most));
            bytes.limit(end);
            while (bytes.hasRemaining()) {
                if (to.write(bytes) == 0) {
                    Thread.yield();
                }
            }
            if (sizes.nextBoolean()) {
                flush(to);
            }
        }
        flush(to);
        return true;
    }

    private static void flush(ByteStream to) throws IOException {
        while (!to.flush()) {
            Thread.yield();
        }
    }

    private static byte[] read(ByteStream from, int count, Random sizes) throws IOException {
        var all = new byte[count];
        var room = ByteBuffer.allocateDirect(300_000);
        for (int have = 0; have < count; ) {
            room.clear().limit(1 + sizes.nextInt(Math.min(count - have, room.capacity())));
            int got = from.read(room);
            assertThat(got).isNotNegative();
            if (got == 0) {
                Thread.yield();
            }
            room.flip().get(all, have, got);
            have += got;
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "off", "-50", "1", "9"})
    void what_is_written_is_read_in_both_directions_at_once(String level) throws Exception {
        var ends = pair(level);
        var there = Background.call(() -> write(ends[0], mixed(1), new Random(1)));
        var back = Background.call(() -> write(ends[1], mixed(2), new Random(2)));
        var read = Background.call(() -> read(ends[0], MANY, new Random(3)));
        assertThat(read(ends[1], MANY, new Random(4))).isEqualTo(mixed(1));
        assertThat(read.join()).isEqualTo(mixed(2));
        assertThat(there.join() && back.join()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 2_000, 60_000})
    void what_is_flushed_is_on_its_way_at_once(int size) throws Exception {
        var ends = pair("1");
        var bytes = ByteBuffer.allocateDirect(size).put(text(1, size)).flip();
        assertThat(ends[0].write(bytes)).isEqualTo(size);
        assertThat(ends[0].flush()).as("nothing is kept back").isTrue();
        assertThat(read(ends[1], size, new Random(1))).isEqualTo(text(1, size));
    }

    /// The number of the first block that is compressed.
    private int codecUsed(ByteStream from) throws IOException {
        var bytes = ByteBuffer.allocateDirect(2_000).put(text(1, 2_000)).flip();
        assertThat(from.write(bytes)).isEqualTo(2_000);
        flush(from);
        var block = ByteBuffer.allocateDirect(4);
        assertThat(pipes[1].read(block)).isEqualTo(4);
        return block.get(3);
    }

    /// 1 deflate, 3 zstd, 0 neither.
    @ParameterizedTest
    @CsvSource({
        "both, both, auto, 3",
        "both, deflate, auto, 1",
        "deflate, both, auto, 1",
        "both, without, auto, 1",
        "without, both, auto, 1",
        "both, both, deflate, 1",
        "both, both, zstd, 3"
    })
    void both_ends_use_what_both_have(String one, String other, String codec, int number)
            throws IOException {
        var ends = pair(new Compress("1", codec), codecs(one), codecs(other));
        assertThat(codecUsed(ends[0])).isEqualTo(number);
    }

    private static Codecs codecs(String name) {
        return switch (name) {
            case "both" -> BOTH;
            case "deflate" -> DEFLATE;
            default -> WITHOUT;
        };
    }

    @Test
    void a_fast_level_is_one_of_zstd_alone() throws IOException {
        var fast = new Compress("-7", "auto");
        assertThat(codecUsed(pair(fast, BOTH, BOTH)[0])).isEqualTo(3);
        assertThatThrownBy(end(0, fast, DEFLATE)::join)
                .hasRootCauseMessage("deflate has the levels 1 to 9, not -7");
    }

    @Test
    void of_what_is_decided_among_no_level_is_slower_and_larger_than_another() {
        var choices = Choice.of(BOTH.all(), new Compress());
        assertThat(choices).extracting(Choice::name).contains("zstd 1", "zstd 9");
        assertThat(choices).noneMatch(choice -> choice.codec() instanceof Deflate);
        assertThat(Choice.of(DEFLATE.all(), new Compress())).hasSize(4);
    }

    @Test
    void who_asks_for_zstd_alone_where_it_cannot_be_is_told_why() {
        assertThatThrownBy(end(0, new Compress("auto", "zstd"), WITHOUT)::join)
                .hasRootCauseMessage(
                        "the codec 'zstd' cannot be used here: its native code cannot be loaded:"
                                + " UnsatisfiedLinkError: it is for another moon");
    }

    @ParameterizedTest
    @CsvSource({
        "a block of another length, 0e000003 47000000 00004d000018616263010022ea86",
        "a block of gigabytes, 0e000003 48000000 a0ffffffff0b0000000000000000",
        "a claim of gigabytes, 0e000003 ffffffff 00004d000018616263010022ea86",
        "an altered block, 0e000003 48000000 00004d000018616263010022eaff"
    })
    void what_is_no_block_closes_the_connection(String what, String sent) throws IOException {
        var receiving = end(1, new Compress(), BOTH);
        var greeting = ByteBuffer.wrap(new byte[] {2, 1, 3});
        assertThat(pipes[0].write(greeting)).isEqualTo(3);
        assertThat(read(pipes[0], 3, new Random(1))).containsExactly(2, 1, 3);
        var block = ByteBuffer.wrap(HexFormat.of().parseHex(sent.replace(" ", "")));
        assertThat(pipes[0].write(block)).isEqualTo(block.limit());
        var room = ByteBuffer.allocateDirect(1 << 20);
        assertThatThrownBy(() -> receiving.join().read(room))
                .as(what)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("the peer sent a block")
                .hasMessageEndingWith("the connection was closed");
        assertThatThrownBy(() -> pipes[1].write(ByteBuffer.allocate(1))).hasMessage("closed");
    }

    @Test
    void text_becomes_less() throws Exception {
        var ends = pair("6");
        long before = pipes[0].sent();
        var writing = Background.call(() -> write(ends[0], text(1, MANY), new Random(1)));
        assertThat(read(ends[1], MANY, new Random(2))).isEqualTo(text(1, MANY));
        assertThat(writing.join()).isTrue();
        assertThat(pipes[0].sent() - before).isLessThan(MANY / 5);
    }
}
