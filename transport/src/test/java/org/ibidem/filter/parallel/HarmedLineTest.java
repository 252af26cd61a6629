package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ibidem.link.StreamPath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections that come to harm over a modelled line: what follows is all said by the seed.
@Tag("slow")
class HarmedLineTest {
    private static final double MB = 1e6;
    private static final int SECOND = 1_000;
    private static final int MANY = 4_000_000;
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private final ModelledLine line = new ModelledLine(20 * MB, 128 << 10, Duration.ofMillis(10));

    /// One end: what it sends, and what came from the other.
    private static final class End {
        final StreamPath path;
        final int seed;
        final int all;
        private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.PIECE).limit(0);
        private final ByteBuffer in = ByteBuffer.allocateDirect(2 * Wire.PIECE);
        long written;
        long read;

        End(StreamPath path, int seed, int all) {
            this.path = path;
            this.seed = seed;
            this.all = all;
        }

        byte at(long place) {
            return (byte) (place * 31 + (place >>> 11) + seed);
        }

        /// Writes what there is room for, now and then less than there might be.
        void write(Random random) throws IOException {
            int taken = 1;
            for (int turn = random.nextInt(4); turn > 0 && taken > 0; turn--) {
                if (!out.hasRemaining()) {
                    fill(random.nextInt(3) == 0 ? 700 : Wire.PIECE);
                }
                taken = path.write(out);
            }
            if (!out.hasRemaining() && (written == all || random.nextInt(3) == 0)) {
                path.flush();
            }
        }

        private void fill(int most) {
            out.clear().limit((int) Math.min(most, all - written));
            while (out.hasRemaining()) {
                out.put(at(written++));
            }
            out.flip();
        }

        void read(End from) throws IOException {
            while (path.read(in.clear()) > 0) {
                for (in.flip(); in.hasRemaining(); read++) {
                    if (in.get() != from.at(read)) {
                        throw new AssertionError("a wrong byte at " + read);
                    }
                }
            }
        }
    }

    private End[] ends(Parallel options, int seed, int there, int back) throws IOException {
        return new End[] {
            new End(new ParallelFilter().over(line.lower(true), options).stream(), seed, there),
            new End(new ParallelFilter().over(line.lower(false), options).stream(), seed + 1, back)
        };
    }

    private void step(End[] ends, Random random) throws IOException {
        ends[0].write(random);
        ends[1].write(random);
        line.step();
        ends[0].read(ends[1]);
        ends[1].read(ends[0]);
    }

    private List<ModelledPath> well() {
        return line.made.stream().filter(ModelledPath::isWell).toList();
    }

    /// Harms one of those that are well, but for the last.
    ///
    /// @return whether there was one
    private boolean harm(Random random) {
        var well = new ArrayList<>(well());
        if (well.size() < 2) {
            return false;
        }
        var one = well.get(random.nextInt(well.size()));
        switch (random.nextInt(3)) {
            case 0 -> one.swallow();
            case 1 -> one.cut();
            default -> one.most = 4 << 10;
        }
        return true;
    }

    /// Both directions at once, while each connection may come to harm but one at a time.
    private static void soaked(int seed) throws IOException {
        var test = new HarmedLineTest();
        var random = new Random(seed);
        var streams = random.nextInt(3) == 0 ? 0 : 2 + random.nextInt(5);
        var ends = test.ends(new Parallel(streams, SILENCE), seed, MANY, MANY);
        int harms = 0;
        int millis = 0;
        while (ends[0].read < MANY || ends[1].read < MANY) {
            try {
                test.step(ends, random);
            } catch (IOException e) {
                throw new IOException("seed " + seed + " after " + millis + " ms", e);
            }
            if (harms < 12 && random.nextInt(60) == 0) {
                harms += test.harm(random) ? 1 : 0;
            }
            assertThat(++millis)
                    .as(
                            "seed %d, %d harms: %d and %d came",
                            seed, harms, ends[0].read, ends[1].read)
                    .isLessThan(120 * SECOND);
        }
        ends[0].path.reset();
        ends[1].path.reset();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void whatever_comes_to_harm_all_bytes_come(int seed) throws IOException {
        soaked(seed);
    }

    @Test
    @Tag("full")
    void whatever_comes_to_harm_all_bytes_come_a_thousand_times() throws IOException {
        for (int seed = 100; seed < 1_100; seed++) {
            soaked(seed);
        }
    }

    /// Swallows whatever connection the passive end says the first such word on, at that moment.
    private void swallowWith(int kind, long least) {
        var done = new boolean[1];
        for (var path : line.made) {
            var end = path.peer();
            end.watched =
                    bytes -> {
                        if (!done[0] && says(bytes, kind) >= least) {
                            done[0] = true;
                            end.swallow();
                        }
                    };
        }
    }

    /// The word of this kind in what leaves together, before any piece; -1: none.
    private static long says(ByteBuffer bytes, int kind) {
        var in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        while (in.remaining() >= Wire.HEADER) {
            int header = in.getInt();
            long word = in.getLong();
            if (header >>> Wire.KIND_SHIFT == kind && (header & Wire.LENGTH_MASK) == 0) {
                return word;
            }
            in.position(in.position() + Math.min(in.remaining(), header & Wire.LENGTH_MASK));
        }
        return -1;
    }

    /// Only the end sends that cannot make connections itself.
    private End[] answered(Parallel options) throws IOException {
        return ends(options, 1, 0, Integer.MAX_VALUE);
    }

    private void pass(End[] ends, int millis) throws IOException {
        var random = new Random(1);
        for (int i = 0; i < millis; i++) {
            step(ends, random);
        }
    }

    private long used() {
        return line.made.stream().filter(ModelledPath::isWell).count();
    }

    @Test
    void that_one_was_lost_is_said_again_where_the_word_was_lost_with_another() throws IOException {
        var ends = answered(new Parallel(4, SILENCE));
        pass(ends, SECOND);
        assertThat(used()).isEqualTo(4);
        swallowWith(Wire.LOST, 0);
        line.made.get(3).swallow();
        pass(ends, 8 * SECOND);
        assertThat(line.connections).as("two were replaced").isEqualTo(6);
        assertThat(used()).isEqualTo(4);
    }

    @Test
    void who_wants_more_says_so_again_where_the_word_was_lost() throws IOException {
        line.window = 16 << 10;
        var ends = answered(new Parallel(0, SILENCE));
        while (line.connections < 8) {
            pass(ends, 10);
        }
        swallowWith(Wire.WANT, 16);
        pass(ends, 5 * SECOND);
        assertThat(used()).isGreaterThanOrEqualTo(16);
    }
}
