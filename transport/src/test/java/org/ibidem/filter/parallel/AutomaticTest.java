package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.ibidem.link.StreamPath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// `parallel` without a number over lines that are modelled: it finds its streams while it runs.
@Tag("slow")
class AutomaticTest {
    private static final double MB = 1e6;
    private static final int SECOND = 1_000;
    private static final Duration DELAY = Duration.ofNanos(21_500_000);

    private ModelledLine line;
    private StreamPath one;
    private StreamPath other;
    private long written;
    private long read;

    private void open(double rate, int window) throws IOException {
        open(rate, window, new Parallel());
    }

    private void open(double rate, int window, Parallel options) throws IOException {
        line = new ModelledLine(rate, window, DELAY);
        one = new ParallelFilter().over(line.lower(true), options).stream();
        other = new ParallelFilter().over(line.lower(false), options).stream();
    }

    @AfterEach
    void close() {
        one.reset();
        other.reset();
    }

    private static byte at(long place) {
        return (byte) (place * 31 + (place >>> 11));
    }

    /// There is always something to send, for so long.
    ///
    /// @return bytes a second that came
    private double send(int millis) throws IOException {
        long before = read;
        var out = ByteBuffer.allocateDirect(Wire.PIECE).limit(0);
        var in = ByteBuffer.allocateDirect(4 * Wire.PIECE);
        for (int i = 0; i < millis; i++) {
            do {
                fill(out);
            } while (one.write(out) > 0);
            written -= out.remaining();
            out.limit(0);
            line.step();
            while (other.read(in.clear()) > 0) {
                check(in.flip());
            }
        }
        return (read - before) * 1e3 / millis;
    }

    private void fill(ByteBuffer out) {
        if (!out.hasRemaining()) {
            out.clear();
            while (out.hasRemaining()) {
                out.put(at(written++));
            }
            out.flip();
        }
    }

    private void check(ByteBuffer in) {
        for (; in.hasRemaining(); read++) {
            if (in.get() != at(read)) {
                throw new AssertionError("a wrong byte at " + read);
            }
        }
    }

    /// The line of 2004: a window of 64 KiB fills a fifth of it.
    @Test
    void small_windows_get_eight_streams_within_three_seconds() throws IOException {
        open(9.2 * MB, 64 << 10);
        assertThat(send(300)).as("at first there is one").isLessThan(1.6 * MB);
        send(2_700);
        assertThat(line.connections).isGreaterThanOrEqualTo(8);
        assertThat(send(5 * SECOND)).isGreaterThan(8.4 * MB);
        assertThat(line.decisions).contains("parallel: 8 streams");
        assertThat(line.connections).as("one step more was tried").isEqualTo(16);
    }

    @Test
    void a_small_line_that_one_stream_fills_is_left_with_one() throws IOException {
        open(1.2 * MB, 256 << 10);
        send(3 * SECOND);
        assertThat(send(4 * SECOND)).isGreaterThan(1.1 * MB);
        assertThat(line.decisions).endsWith("parallel: 1 stream");
        assertThat(line.connections).as("those it was tried with").isEqualTo(8);
    }

    /// One loses nothing as long as it is lucky.
    @Test
    void a_larger_line_that_one_stream_seems_to_fill_has_eight() throws IOException {
        open(9.2 * MB, 1 << 20);
        send(3 * SECOND);
        assertThat(send(4 * SECOND)).isGreaterThan(8.4 * MB);
        assertThat(line.decisions).endsWith("parallel: 8 streams");
        assertThat(line.connections).isEqualTo(8);
    }

    @Test
    void what_never_has_to_wait_is_never_given_more_than_one() throws IOException {
        open(2 * MB, 256 << 10);
        for (int i = 0; i < 5 * SECOND; i++) {
            if (i % 100 == 0) {
                one.write(ByteBuffer.allocateDirect(1_000));
                one.flush();
            }
            line.step();
            other.read(ByteBuffer.allocateDirect(1_000));
        }
        assertThat(line.connections).isEqualTo(1);
        assertThat(line.decisions).isEmpty();
    }

    /// As where packets begin to get lost: each connection has less under way.
    @Test
    void a_line_that_gets_worse_while_it_is_used_gets_more_streams() throws IOException {
        open(9.2 * MB, 1 << 20);
        send(8 * SECOND);
        assertThat(line.decisions).endsWith("parallel: 8 streams");
        line.window = 24 << 10;
        send(8 * SECOND);
        assertThat(line.decisions.getLast()).isIn("parallel: 16 streams", "parallel: 32 streams");
        assertThat(send(2 * SECOND)).isGreaterThan(7 * MB);
    }

    @Test
    void a_line_that_drops_to_a_tenth_and_comes_back_is_filled_and_loses_nothing()
            throws IOException {
        // here all of a window comes at once, behind the queue: for seconds nothing is heard
        open(9.2 * MB, 64 << 10, new Parallel(0, Duration.ofSeconds(20)));
        send(8 * SECOND);
        line.rate /= 10;
        send(3 * SECOND);
        assertThat(send(5 * SECOND)).isBetween(0.7 * MB, MB);
        line.rate *= 10;
        send(5 * SECOND);
        assertThat(send(5 * SECOND)).isGreaterThan(8.4 * MB);
    }

    @Test
    void a_slow_connection_is_given_less_and_holds_nobody_up() throws IOException {
        open(20 * MB, 256 << 10, new Parallel(2, Duration.ofMinutes(1)));
        send(SECOND / 10);
        var slow = line.made.get(1);
        slow.most = 16 << 10;
        send(SECOND);
        long before = slow.sent;
        double rate = send(5 * SECOND);
        assertThat(rate).as("what both can").isGreaterThan(5.8 * MB);
        double share = (slow.sent - before) / 5.0;
        assertThat(share).as("what it can").isBetween(0.25 * MB, 0.45 * MB);
    }
}
