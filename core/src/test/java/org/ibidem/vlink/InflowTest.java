package org.ibidem.vlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.arbitration.Waiter;
import org.ibidem.buffer.Frame;
import org.ibidem.channel.InChannel;
import org.ibidem.channel.LooseChannel;
import org.ibidem.link.FrameSource;
import org.ibidem.vlink.VLinkFailed.Kind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a reader finds of frames that come while it looks. Nothing here has a thread of its own.
@Timeout(20)
class InflowTest {
    private static final byte[] BYTES = {1, 2, 3};

    private final Waiter waiter = new Waiter(WaitPolicy.SLEEP);
    private final ReceiptLoop loop = new ReceiptLoop(null, waiter);
    private final Frames frames = new Frames();
    private final InChannel channel = LooseChannel.over(frames);
    private final Inflow inflow = new Inflow(loop, channel);
    private final AtomicInteger rings = new AtomicInteger();

    /// Frames of three bytes, as many as there are.
    private static final class Frames implements FrameSource {
        private int here;
        private Runnable meanwhile = () -> {};

        @Override
        public boolean poll(Frame frame) {
            if (here == 0) {
                meanwhile.run();
                return false;
            }
            here--;
            frame.show(MemorySegment.ofArray(BYTES), 0, BYTES.length);
            frame.flags = 0;
            return true;
        }

        @Override
        public void release() {}
    }

    @AfterEach
    void close() {
        waiter.close();
    }

    @Test
    void what_came_before_its_sender_was_known_to_be_gone_is_read() {
        frames.meanwhile =
                () -> {
                    frames.meanwhile = () -> {};
                    frames.here = 1;
                    LooseChannel.gone(channel, "its sender has gone");
                };
        var into = ByteBuffer.allocate(10);
        assertThat(inflow.read(into)).isEqualTo(BYTES.length);
        assertThat(into.array()).startsWith(BYTES);
        assertThatThrownBy(() -> inflow.read(into))
                .isInstanceOfSatisfying(
                        VLinkFailed.class, e -> assertThat(e.kind()).isEqualTo(Kind.BROKEN))
                .hasMessageContaining("its sender has gone");
    }

    /// Nobody tells of the second frame again: it came with the first.
    @Test
    void who_watches_after_a_read_that_filled_its_buffer_is_told_to_look() {
        inflow.bell(rings::incrementAndGet);
        frames.here = 2;
        inflow.arm();
        assertThat(inflow.read(ByteBuffer.allocate(BYTES.length))).isEqualTo(BYTES.length);
        inflow.watch(() -> {});
        assertThat(rings).hasValue(1);
    }

    @Test
    void who_watches_after_a_read_that_found_no_more_waits_to_be_told() {
        inflow.bell(rings::incrementAndGet);
        frames.here = 2;
        inflow.arm();
        assertThat(inflow.read(ByteBuffer.allocate(10))).isEqualTo(2 * BYTES.length);
        inflow.watch(() -> {});
        assertThat(rings).hasValue(0);
    }
}
