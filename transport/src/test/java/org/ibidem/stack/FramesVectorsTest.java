package org.ibidem.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.ibidem.Vectors;
import org.ibidem.buffer.BufferPool;
import org.ibidem.buffer.Frame;
import org.ibidem.link.ByteStream;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;

/// The format of frames over a stream stays what the vectors say.
class FramesVectorsTest {
    private static final int LARGEST = FramesOverStream.largest(new BufferPool());

    private final Vectors vectors = Vectors.read("frames");
    private final Frame frame = new Frame();

    FramesVectorsTest() throws IOException {}

    /// Gives these bytes and keeps what is written.
    private static final class Recorded implements ByteStream {
        final ByteBuffer given;
        final ByteArrayOutputStream written = new ByteArrayOutputStream();
        boolean closed;

        Recorded(byte[] given) {
            this.given = ByteBuffer.wrap(given);
        }

        @Override
        public int write(ByteBuffer from) {
            int bytes = from.remaining();
            while (from.hasRemaining()) {
                written.write(from.get());
            }
            return bytes;
        }

        @Override
        public int read(ByteBuffer into) {
            int bytes = Math.min(given.remaining(), into.remaining());
            into.put(given.slice(given.position(), bytes));
            given.position(given.position() + bytes);
            return bytes;
        }

        @Override
        public Waitable readable() {
            return null;
        }

        @Override
        public Waitable writable() {
            return null;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private void written(String name, int flags, int... payload) {
        var stream = new Recorded(new byte[0]);
        var sink = new FramesOverStream(stream, new BufferPool(), LARGEST).sink();
        assertThat(sink.claim(frame, payload.length)).isTrue();
        for (int value : payload) {
            frame.memory.set(ValueLayout.JAVA_BYTE, frame.position++, (byte) value);
        }
        sink.commit(frame, flags);
        sink.push();
        assertThat(stream.written.toByteArray()).as(name).isEqualTo(vectors.get(name));
    }

    private void read(String name, int flags, int... payload) {
        var source =
                new FramesOverStream(new Recorded(vectors.get(name)), new BufferPool(), LARGEST)
                        .source();
        assertThat(source.poll(frame)).as(name).isTrue();
        assertThat(frame.flags).as(name).isEqualTo(flags);
        assertThat(frame.room()).as(name).isEqualTo(payload.length);
        for (int i = 0; i < payload.length; i++) {
            assertThat(frame.memory.get(ValueLayout.JAVA_BYTE, frame.position + i))
                    .isEqualTo((byte) payload[i]);
        }
        assertThat(source.poll(frame)).isFalse();
    }

    @Test
    void frames_are_written_and_read_so() {
        written("last", 0, 10, 11, 12);
        read("last", 0, 10, 11, 12);
        written("more", Frame.MORE, 10, 11, 12);
        read("more", Frame.MORE, 10, 11, 12);
        written("empty", 0);
        read("empty", 0);
        written("end", Frame.END);
        read("end", Frame.END);
        written("abandoned", Frame.ABANDONED);
        read("abandoned", Frame.ABANDONED);
    }

    @Test
    void holding_a_frame_back_does_not_show() {
        written("last", Frame.HOLD, 10, 11, 12);
    }

    @Test
    void the_largest_is_written_so() {
        var stream = new Recorded(new byte[0]);
        var sink = new FramesOverStream(stream, new BufferPool(), LARGEST).sink();
        assertThat(sink.claim(frame, sink.largest())).isTrue();
        frame.position = frame.limit;
        sink.commit(frame, 0);
        assertThat(stream.written.size()).isEqualTo(64 << 10);
        assertThat(stream.written.toByteArray()).startsWith(vectors.get("largest"));
    }

    @Test
    void what_must_be_refused_is() {
        assertThat(vectors.starting("bad.")).hasSize(5).allSatisfy(FramesVectorsTest::refused);
    }

    private static void refused(String name, byte[] bytes) {
        var stream = new Recorded(bytes);
        var source = new FramesOverStream(stream, new BufferPool(), LARGEST).source();
        assertThatThrownBy(() -> source.poll(new Frame()))
                .as(name)
                .isInstanceOf(LinkBroken.class)
                .hasMessageContaining("where a frame's header must be");
        assertThat(stream.closed).as(name).isTrue();
    }

    /// Even where nobody polled yet: a waiter must not sleep over it, nor fail.
    @Test
    void a_reader_does_not_sleep_over_garbage() {
        var bytes = ByteBuffer.allocate(11).put(vectors.get("last")).put(vectors.get("bad.hold"));
        var source =
                new FramesOverStream(new Recorded(bytes.array()), new BufferPool(), LARGEST)
                        .source();
        assertThat(source.poll(frame)).isTrue();
        assertThat(((Waitable) source).arm()).isEqualTo(Armed.READY);
        assertThatThrownBy(() -> source.poll(frame)).isInstanceOf(LinkBroken.class);
    }
}
