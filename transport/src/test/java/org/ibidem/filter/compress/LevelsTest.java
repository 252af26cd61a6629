package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Deflate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is chosen for a line and data, by samples as they would be: no network, no codec, no clock.
class LevelsTest {
    private static final List<Codec.Level> DEFLATE = new Deflate().levels();
    private static final double MB = 1e6;
    private static final int BLOCK = Header.BLOCK;

    /// So much a kernel takes at once when there is room.
    private static final double BURST = 1.3 * MB;

    private final Levels levels = new Levels(DEFLATE);

    /// Bytes that the kernel has and the line has not.
    private double ahead;

    /// Sends blocks over a line, by what a codec would do to them.
    ///
    /// @param line bytes a second
    /// @param speed of the codec beside what is usual
    /// @param gain what is saved, of what is usual: 0 nothing
    /// @return bytes a second that got along in the last half
    private double sent(int blocks, double line, double speed, double gain) {
        double seconds = 0;
        double counted = 0;
        for (int i = 0; i < blocks; i++) {
            int level = levels.next();
            double took = level == 0 ? 0.00002 : BLOCK / (DEFLATE.get(level - 1).rate() * speed);
            double ratio = level == 0 ? 1 : 1 + (DEFLATE.get(level - 1).ratio() - 1) * gain;
            int wire = (int) (BLOCK / ratio);
            ahead = Math.max(0, ahead - took * line);
            double held = 0;
            if (ahead + wire > 4 * MB) {
                held = BURST / line;
                ahead -= BURST;
            }
            ahead += wire;
            levels.seen(new Sample(level, BLOCK, wire, (long) (took * 1e9), (long) (held * 1e9)));
            if (i >= blocks / 2) {
                counted += BLOCK;
                seconds += took + held;
            }
        }
        return counted / seconds;
    }

    @Test
    void nothing_is_done_before_anything_is_known() {
        assertThat(levels.next()).isZero();
        assertThat(new Levels(List.of()).next()).isZero();
    }

    @Test
    void a_slow_line_gets_the_smallest_blocks() {
        assertThat(sent(2_000, 1.6 * MB, 1, 1)).isGreaterThan(4 * 1.6 * MB);
        assertThat(DEFLATE.get(levels.next() - 1).number()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void a_faster_line_gets_a_faster_level() {
        assertThat(sent(3_000, 16 * MB, 1, 1)).isGreaterThan(2.5 * 16 * MB);
        assertThat(DEFLATE.get(levels.next() - 1).number()).isLessThan(6);
    }

    @Test
    void a_line_faster_than_any_codec_gets_bytes_as_they_are() {
        assertThat(sent(4_000, 2_000 * MB, 1, 1)).isGreaterThan(0.9 * 2_000 * MB);
        assertThat(levels.next()).isZero();
    }

    @Test
    void a_slow_processor_is_found_out() {
        double rate = sent(4_000, 12.5 * MB, 0.05, 1);
        assertThat(rate).isGreaterThan(0.9 * 12.5 * MB);
    }

    @Test
    void data_that_do_not_shrink_are_left_alone() {
        sent(500, 1.6 * MB, 1, 1);
        double rate = sent(2_000, 30 * MB, 1, 0);
        assertThat(rate).isGreaterThan(0.95 * 30 * MB);
    }

    @Test
    void data_that_shrink_again_are_noticed() {
        sent(500, 1.6 * MB, 1, 1);
        sent(500, 1.6 * MB, 1, 0.02);
        assertThat(sent(1_000, 1.6 * MB, 1, 1)).isGreaterThan(4 * 1.6 * MB);
    }

    @Test
    void a_line_that_drops_to_a_tenth_and_comes_back_is_followed() {
        sent(3_000, 100 * MB, 1, 1);
        assertThat(sent(1_000, 10 * MB, 1, 1)).isGreaterThan(2.5 * 10 * MB);
        assertThat(sent(20_000, 1_000 * MB, 1, 1)).isGreaterThan(0.9 * 1_000 * MB);
    }

    /// What a kernel has room for, and connections that are added: at first 128 KiB, and four MB
    /// after some waits. They take at once what the line brings to the other end only later.
    @ParameterizedTest
    @ValueSource(doubles = {1.6 * MB, 5 * MB, 12.5 * MB, 30 * MB})
    void what_buffers_take_while_they_grow_is_not_taken_for_the_line(double line) {
        double room = 128 << 10;
        double waiting = 0;
        double first = Double.MAX_VALUE;
        for (int i = 0; i < 1_000 && first == Double.MAX_VALUE; i++) {
            assertThat(levels.next()).as("before anything is known").isZero();
            double held = 0;
            if (ahead + BLOCK > room) {
                double freed = Math.max(BLOCK, room / 3);
                held = freed / line;
                ahead -= freed;
                room = Math.min(4 * MB, 8 * room);
            }
            ahead += BLOCK;
            waiting += held;
            levels.seen(new Sample(0, BLOCK, BLOCK, 0, (long) (held * 1e9)));
            levels.next();
            first = levels.line();
        }
        assertThat(first).isBetween(0.7 * line, 2.5 * line);
        assertThat(waiting).as("seconds until then").isLessThan(2);
    }

    @Test
    void the_same_samples_give_the_same_choices() {
        var other = new Levels(DEFLATE);
        for (int i = 0; i < 1_000; i++) {
            var sample = new Sample(i % 5, BLOCK, BLOCK / (1 + i % 3), 1_000_000, i % 7 * 100_000L);
            levels.seen(sample);
            other.seen(sample);
            assertThat(levels.next()).isEqualTo(other.next());
        }
    }

    @Test
    void small_blocks_say_nothing_of_a_codec() {
        sent(500, 1.6 * MB, 1, 1);
        int before = levels.next();
        for (int i = 0; i < 100; i++) {
            levels.seen(new Sample(1, 600, 600, 1_000_000_000, 0));
        }
        assertThat(levels.next()).isEqualTo(before);
    }
}
