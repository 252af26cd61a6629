package org.ibidem.stack;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which buffers frames over a stream fill, and that nothing is lost where they change.
class FramesOverStreamTest {
    private static final BufferPool POOL = new BufferPool();
    private static final int LARGEST = FramesOverStream.largest(POOL);

    private final Frame frame = new Frame();
    private final Frame lent = new Frame();

    /// Takes and gives as many bytes as it is told to; notes what each call was offered.
    private static final class Pipe implements ByteStream {
        final ByteBuffer content = ByteBuffer.allocate(4 << 20);
        final List<Integer> offered = new ArrayList<>();
        int takes = Integer.MAX_VALUE;
        int gives = Integer.MAX_VALUE;
        int reads;
        int emptyReads;
        int flushes;

        /// What flushes answer.
        boolean flushed = true;

        @Nullable IOException broken;

        @Override
        public boolean flush() throws IOException {
            if (broken != null) {
                throw broken;
            }
            flushes++;
            return flushed;
        }

        @Override
        public int write(ByteBuffer from) {
            offered.add(from.remaining());
            int bytes = Math.min(Math.min(takes, content.remaining()), from.remaining());
            content.put(from.slice(from.position(), bytes));
            from.position(from.position() + bytes);
            return bytes;
        }

        @Override
        public int read(ByteBuffer into) {
            reads++;
            if (emptyReads > 0) {
                emptyReads--;
                return 0;
            }
            content.flip();
            int bytes = Math.min(Math.min(gives, content.remaining()), into.remaining());
            into.put(content.slice(0, bytes));
            content.position(bytes);
            content.compact();
            return bytes;
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

    private void message(FrameSink sink, int bytes) {
        int left = bytes;
        frame.empty();
        do {
            if (frame.limit == frame.position) {
                assertThat(sink.claim(frame, 1)).isTrue();
            }
            int part = (int) Math.min(left, frame.limit - frame.position);
            frame.position += part;
            left -= part;
            sink.commit(frame, left > 0 ? Frame.MORE : 0);
        } while (left > 0);
    }

    @Test
    void a_short_message_after_another_finds_its_room_at_the_same_place() {
        var sink = new FramesOverStream(new Pipe(), POOL, LARGEST).sink();
        message(sink, 8);
        assertThat(frame.limit).as("the first went in a borrowed buffer").isEqualTo(frame.position);
        message(sink, 8);
        assertThat(frame.limit - frame.position).isGreaterThan(64);
        var memory = frame.memory;
        long position = frame.position;
        frame.position += 8;
        assertThat(sink.commit(frame, 0)).isTrue();
        assertThat(frame.memory).isSameAs(memory);
        assertThat(frame.position).isEqualTo(position);
    }

    @Test
    void who_writes_much_again_and_again_does_it_in_one_call() {
        var pipe = new Pipe();
        var sink = new FramesOverStream(pipe, POOL, LARGEST).sink();
        message(sink, 1 << 20);
        assertThat(pipe.offered).hasSize(2);
        pipe.content.clear();
        pipe.offered.clear();
        message(sink, 1 << 20);
        assertThat(pipe.offered).hasSize(1);
        message(sink, 8);
        pipe.offered.clear();
        message(sink, 200_000);
        assertThat(pipe.offered).as("what was in the small buffer went along").hasSize(1);
    }

    @Test
    void the_end_of_a_message_is_flushed_once_and_nothing_before_it() {
        var pipe = new Pipe();
        var sink = new FramesOverStream(pipe, POOL, LARGEST).sink();
        message(sink, 8);
        assertThat(pipe.flushes).isEqualTo(1);
        message(sink, 2 << 20);
        assertThat(pipe.offered).as("written in several pieces").hasSizeGreaterThan(2);
        assertThat(pipe.flushes).isEqualTo(2);
        sink.claim(frame, 8);
        sink.commit(frame, Frame.HOLD);
        assertThat(pipe.flushes).as("while it is held back").isEqualTo(2);
        sink.push();
        assertThat(pipe.flushes).isEqualTo(3);
    }

    @Test
    void what_a_stream_keeps_of_a_message_is_kept_back_until_it_lets_it_go() {
        for (int bytes : new int[] {8, 5_000, LARGEST}) {
            var pipe = new Pipe();
            var sink = new FramesOverStream(pipe, POOL, LARGEST).sink();
            pipe.flushed = false;
            sink.claim(frame, bytes);
            frame.position += bytes;
            assertThat(sink.commit(frame, 0)).isFalse();
            assertThat(pipe.offered).as("all was written").hasSize(1);
            assertThat(sink.push()).isFalse();
            assertThat(sink.claim(frame, 8)).as("there is room all the same").isTrue();
            pipe.flushed = true;
            assertThat(sink.push()).isTrue();
            assertThat(pipe.offered).hasSize(1);
        }
    }

    @Test
    void what_fails_while_it_is_flushed_breaks_the_link() {
        var pipe = new Pipe();
        pipe.broken = new IOException("no more");
        var sink = new FramesOverStream(pipe, POOL, LARGEST).sink();
        assertThatThrownBy(() -> message(sink, 8))
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("broke while writing: no more");
    }

    @Test
    void a_poll_looks_as_often_as_it_is_told() {
        var pipe = new Pipe();
        var link = new FramesOverStream(pipe, POOL, LARGEST);
        message(link.sink(), 8);
        pipe.emptyReads = 5;
        assertThat(link.source().poll(lent)).isFalse();
        assertThat(pipe.reads).isEqualTo(1);
        assertThat(link.source().poll(lent, 2)).isFalse();
        assertThat(pipe.reads).isEqualTo(4);
        assertThat(link.source().poll(lent, 2)).isTrue();
        assertThat(lent.limit - lent.position).isEqualTo(8);
        assertThat(pipe.reads).as("of the five empty ones, one was left").isEqualTo(6);
    }

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("ibidem.seeds", 60));
    }

    /// What was sent and not seen yet: each frame's length and flags, and its bytes follow from how
    /// many there were before.
    private static final class Sent {
        final ArrayDeque<int[]> frames = new ArrayDeque<>();
        long written;
        long seen;
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("seeds")
    void frames_of_any_lengths_come_as_they_went_through_a_stream_of_any_mood(int seed) {
        var random = new Random(seed);
        var pool = new BufferPool(random.nextBoolean() ? BufferPool.SIZE : 4 << 10);
        int largest = FramesOverStream.largest(pool);
        var pipe = new Pipe();
        var link = new FramesOverStream(pipe, pool, largest);
        var sent = new Sent();
        int most = 1;
        for (int i = 0; i < 2000; i++) {
            if (random.nextInt(40) == 0) {
                most = 1 << random.nextInt(17); // the lengths of a while
                pipe.takes = random.nextInt(4) == 0 ? random.nextInt(5000) : Integer.MAX_VALUE;
                pipe.gives = random.nextInt(4) == 0 ? 1 + random.nextInt(5000) : Integer.MAX_VALUE;
            }
            send(link.sink(), sent, Math.min(largest, random.nextInt(most)), random, pipe);
            if (random.nextInt(10) == 0) {
                link.sink().push();
            }
            if (random.nextInt(3) == 0) {
                receive(link.source(), sent, random.nextInt(8));
            }
            if (pipe.content.remaining() < 2 << 20) {
                receive(link.source(), sent, Integer.MAX_VALUE);
            }
        }
        pipe.takes = Integer.MAX_VALUE;
        pipe.gives = Integer.MAX_VALUE;
        assertThat(link.sink().push()).isTrue();
        receive(link.source(), sent, Integer.MAX_VALUE);
        assertThat(sent.frames).isEmpty();
    }

    private void send(FrameSink sink, Sent sent, int length, Random random, Pipe pipe) {
        boolean anew = frame.limit - frame.position < length || random.nextInt(20) == 0;
        if (sent.written == 0 || anew || frame.limit == frame.position) {
            while (!sink.claim(frame, length)) {
                pipe.takes = Integer.MAX_VALUE;
            }
        }
        assertThat(frame.limit - frame.position).isGreaterThanOrEqualTo(length);
        for (int i = 0; i < length; i++) {
            frame.memory.set(JAVA_BYTE, frame.position++, (byte) (sent.written++ * 31));
        }
        int flags = new int[] {0, 0, Frame.MORE, Frame.HOLD}[random.nextInt(4)];
        sent.frames.add(new int[] {length, flags & Frame.WIRE_FLAGS});
        sink.commit(frame, flags);
    }

    private void receive(FrameSource source, Sent sent, int atMost) {
        for (int n = 0; n < atMost && source.poll(lent, n & 1); n++) {
            var wanted = sent.frames.remove();
            assertThat(lent.limit - lent.position).isEqualTo(wanted[0]);
            assertThat(lent.flags).isEqualTo(wanted[1]);
            for (int i = 0; i < wanted[0]; i++) {
                byte is = lent.memory.get(JAVA_BYTE, lent.position + i);
                if (is != (byte) (sent.seen++ * 31)) {
                    throw new AssertionError("another byte at " + (sent.seen - 1));
                }
            }
        }
        if (atMost == Integer.MAX_VALUE) {
            source.release();
        }
    }
}
