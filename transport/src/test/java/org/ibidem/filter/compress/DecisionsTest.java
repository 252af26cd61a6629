package org.ibidem.filter.compress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.BufferPool;
import org.ibidem.codec.Codec;
import org.ibidem.codec.Deflate;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Line;
import org.ibidem.link.NoLower;
import org.ibidem.stack.FramesOverStream;
import org.ibidem.task.Tasks;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the sending side decides and says over a line and a codec that are modelled, with a clock
/// of their own.
class DecisionsTest {
    private static final double MB = 1e6;

    /// What a kernel takes before it lets wait.
    private static final double BUFFER = 2 * MB;

    private final List<String> decisions = new ArrayList<>();
    private final Modelled line = new Modelled();
    private final Clock clock = new Clock();
    private final Sending sending =
            new Sending(
                    line,
                    Choice.of(List.of(new ModelledCodec()), new Compress()),
                    true,
                    new NoLower(FramesOverStream.terms(new BufferPool()), clock, new Told()));

    private double seconds;

    /// Takes what its buffer has room for, which it empties as time goes by.
    private final class Modelled implements ByteStream {
        double rate;
        private double held;
        private double since;

        @Override
        public int write(ByteBuffer from) {
            held = Math.max(0, held - (seconds - since) * rate);
            since = seconds;
            int taken = (int) Math.clamp(BUFFER - held, 0, from.remaining());
            from.position(from.position() + taken);
            held += taken;
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
        public void close() {}
    }

    /// As fast as the real one, and makes as much of text.
    private final class ModelledCodec implements Codec {
        private final Codec real = new Deflate();

        @Override
        public int number() {
            return real.number();
        }

        @Override
        public String name() {
            return real.name();
        }

        @Override
        public List<Level> levels() {
            return real.levels();
        }

        @Override
        public Encoder encoder(int number) {
            var level = levels().stream().filter(each -> each.number() == number).findAny().get();
            return new Encoder() {
                @Override
                public boolean encode(ByteBuffer from, ByteBuffer to) {
                    seconds += from.remaining() / level.rate();
                    to.position(to.position() + (int) (from.remaining() / level.ratio()));
                    from.position(from.limit());
                    return true;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Decoder decoder() {
            throw new AssertionError("nothing comes");
        }
    }

    private final class Clock implements Tasks {
        @Override
        public Task start(String name, Runnable body) {
            body.run();
            return () -> {};
        }

        @Override
        public Task after(Duration delay, String name, Runnable body) {
            throw new AssertionError(name);
        }

        @Override
        public long nanoTime() {
            return (long) (seconds * 1e9);
        }
    }

    /// Keeps what is said of it.
    private final class Told implements Line {
        @Override
        public Known known() {
            return Known.NOTHING;
        }

        @Override
        public void decided(String what, String decision, String why) {
            decisions.add(what + ": " + decision + ", as " + why);
        }
    }

    /// Sends text for so long, as fast as it goes.
    ///
    /// @return bytes a second
    private double sent(double forSeconds) throws IOException {
        var text =
                ByteBuffer.allocateDirect(Header.BLOCK)
                        .put(
                                "the same words ".repeat(9_000).getBytes(StandardCharsets.US_ASCII),
                                0,
                                Header.BLOCK)
                        .flip();
        double from = seconds;
        long all = 0;
        while (seconds - from < forSeconds) {
            int taken = sending.write(text);
            all += taken;
            if (!text.hasRemaining()) {
                text.rewind();
            }
            seconds += taken == 0 ? 0.001 : 0.00002;
        }
        return all / (seconds - from);
    }

    @Test
    void a_line_that_drops_to_a_tenth_and_comes_back_is_followed_and_each_change_is_said()
            throws IOException {
        line.rate = 12 * MB;
        sent(2);
        assertThat(decisions.getFirst()).matches("compress: deflate \\d, as the line takes .*");
        assertThat(sent(5)).isGreaterThan(0.8 * 36 * MB);
        int before = decisions.size();
        line.rate = 1.2 * MB;
        sent(5);
        assertThat(sent(5)).isGreaterThan(4 * 1.2 * MB);
        assertThat(decisions.size()).isGreaterThan(before);
        assertThat(decisions.getLast()).startsWith("compress: deflate ");
        line.rate = 1_000 * MB;
        sent(20);
        assertThat(sent(5)).isGreaterThan(200 * MB);
        assertThat(decisions.getLast()).startsWith("compress: off, as ");
    }

    @Test
    void a_line_that_never_holds_anybody_up_is_no_reason_to_decide_anything() throws IOException {
        line.rate = 100_000 * MB;
        sent(1);
        assertThat(decisions).isEmpty();
    }
}
