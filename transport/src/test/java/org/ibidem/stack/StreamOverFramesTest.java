package org.ibidem.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameBox;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;
import org.ibidem.wait.Armed;
import org.junit.jupiter.api.Test;

class StreamOverFramesTest {
    private final FrameBox box = new FrameBox();
    private final StreamOverFrames stream = new StreamOverFrames(box);
    private final ByteBuffer into = ByteBuffer.allocateDirect(100);

    @Test
    void takes_as_many_bytes_as_there_is_room_for() {
        box.room = 3;
        var from = direct(1, 2, 3, 4, 5);
        assertThat(stream.write(from)).isEqualTo(3);
        assertThat(stream.write(from)).isEqualTo(2);
        assertThat(stream.write(from)).isZero();
        assertThat(read(100)).containsExactly(1, 2, 3);
        assertThat(read(100)).containsExactly(4, 5);
        assertThat(stream.read(into)).isZero();
    }

    @Test
    void takes_nothing_while_below_is_busy() {
        box.busy = true;
        var from = direct(1);
        assertThat(stream.write(from)).isZero();
        assertThat(from.remaining()).isEqualTo(1);
    }

    @Test
    void bytes_that_below_keeps_back_are_taken_once_it_lets_them_go() {
        box.room = 2;
        var kept = direct(3, 4, 5);
        var stubborn = new StreamOverFrames(new Stubborn(box));
        assertThat(stubborn.write(kept)).isZero();
        assertThat(kept.remaining()).as("not taken yet").isEqualTo(3);
        assertThat(stubborn.write(kept)).as("still kept").isZero();
        assertThat(stubborn.write(kept)).isEqualTo(2);
        assertThat(kept.remaining()).isEqualTo(1);
    }

    @Test
    void a_flush_hands_on_what_below_keeps_back() {
        assertThat(stream.flush()).isTrue();
        var stubborn = new StreamOverFrames(new Stubborn(box));
        var kept = direct(3, 4);
        assertThat(stubborn.write(kept)).isZero();
        assertThat(stubborn.flush()).as("still kept").isFalse();
        assertThat(stubborn.flush()).isTrue();
        assertThat(stubborn.write(kept)).isEqualTo(2);
        assertThat(stubborn.flush()).isTrue();
    }

    @Test
    void a_frame_is_read_in_pieces_and_then_given_back() {
        box.arrive(new byte[] {1, 2, 3}, Frame.MORE);
        assertThat(read(2)).containsExactly(1, 2);
        assertThat(box.released).isZero();
        assertThat(stream.readable().arm()).as("sleep on unread bytes").isEqualTo(Armed.READY);
        assertThat(box.armed).isZero();
        assertThat(read(2)).containsExactly(3);
        assertThat(box.released).isEqualTo(1);
        assertThat(stream.readable().arm()).isNotEqualTo(Armed.READY);
    }

    @Test
    void empty_frames_mean_nothing_and_the_flag_end_ends_the_stream() {
        box.arrive(new byte[0], 0);
        box.arrive(new byte[] {7}, Frame.END);
        assertThat(read(2)).containsExactly(7);
        assertThat(stream.read(into)).isEqualTo(-1);
        assertThat(stream.read(into)).isEqualTo(-1);
    }

    @Test
    void a_side_that_cannot_sleep_is_never_let() {
        assertThat(stream.writable().arm()).isEqualTo(Armed.READY);
        assertThat(stream.writable().channel()).isNull();
    }

    @Test
    void closes_what_is_below() {
        stream.close();
        assertThat(box.closed).isTrue();
    }

    private byte[] read(int most) {
        into.clear().limit(most);
        stream.read(into);
        var bytes = new byte[into.position()];
        into.flip().get(bytes);
        return bytes;
    }

    private static ByteBuffer direct(int... bytes) {
        var buffer = ByteBuffer.allocateDirect(bytes.length);
        for (int b : bytes) {
            buffer.put((byte) b);
        }
        return buffer.flip();
    }

    /// Keeps what is committed until the second push.
    private static final class Stubborn implements FrameLink, FrameSink {
        private final FrameBox box;
        private int pushes;

        Stubborn(FrameBox box) {
            this.box = box;
        }

        @Override
        public FrameSink sink() {
            return this;
        }

        @Override
        public FrameSource source() {
            return box.source();
        }

        @Override
        public void close() {}

        @Override
        public boolean claim(Frame room, int atLeast) {
            return box.sink().claim(room, atLeast);
        }

        @Override
        public boolean commit(Frame room, int flags) {
            box.sink().commit(room, flags);
            return false;
        }

        @Override
        public boolean push() {
            return ++pushes >= 2;
        }

        @Override
        public int largest() {
            return box.sink().largest();
        }
    }
}
