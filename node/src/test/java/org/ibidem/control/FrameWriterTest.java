package org.ibidem.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Writes to a path that takes as much as the test lets it.
class FrameWriterTest {
    private final Outgoing outgoing = new Outgoing(10, 1000);
    private final Taking path = new Taking();
    private final FrameWriter writer = new FrameWriter(path, outgoing);

    /// Keeps what it takes, and may keep some of it from the network.
    private static final class Taking implements StreamPath {
        final List<Byte> taken = new ArrayList<>();
        int room;
        boolean keeps;
        @Nullable IOException fails;

        @Override
        public int write(ByteBuffer from) throws IOException {
            if (fails != null) {
                throw fails;
            }
            int count = Math.min(room, from.remaining());
            for (int i = 0; i < count; i++) {
                taken.add(from.get());
            }
            room -= count;
            return count;
        }

        @Override
        public boolean flush() {
            return !keeps;
        }

        @Override
        public int read(ByteBuffer into) {
            throw new AssertionError("nobody reads here");
        }

        @Override
        public Waitable readable() {
            throw new AssertionError("nobody sleeps here");
        }

        @Override
        public Waitable writable() {
            throw new AssertionError("nobody sleeps here");
        }

        @Override
        public void blocking(boolean wait) {}

        @Override
        public void end() {}

        @Override
        public void reset() {}

        @Override
        public SocketAddress remote() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private void offer(int... bytes) {
        var frame = ByteBuffer.allocate(bytes.length);
        for (int each : bytes) {
            frame.put((byte) each);
        }
        assertThat(outgoing.offer(frame.flip())).isTrue();
    }

    private void is(boolean full, boolean done) {
        assertThat(writer.isFull()).as("full").isEqualTo(full);
        assertThat(writer.isDone()).as("done").isEqualTo(done);
    }

    @Test
    void what_the_path_does_not_take_goes_on_where_it_stopped() {
        is(false, true);
        offer(1, 2, 3);
        offer(4);
        is(false, false);
        path.room = 2;
        writer.write();
        is(true, false);
        path.room = 1;
        writer.write();
        is(true, false);
        path.room = 5;
        writer.write();
        is(false, true);
        assertThat(path.taken).containsExactly((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        offer(5);
        is(false, false);
    }

    @Test
    void what_the_path_keeps_back_is_not_written_yet() {
        offer(1);
        path.room = 1;
        path.keeps = true;
        writer.write();
        is(true, false);
        path.keeps = false;
        writer.write();
        is(false, true);
        assertThat(path.taken).hasSize(1);
    }

    @Test
    void a_write_that_fails_is_the_end_of_all_and_says_why() {
        offer(1, 2);
        path.room = 1;
        writer.write();
        path.fails = new IOException("connection reset for this test");
        writer.write();
        is(false, true);
        assertThat(writer.broken())
                .isEqualTo("java.io.IOException: connection reset for this test");
        offer(3);
        assertThat(outgoing.take()).as("nothing is queued any more").isNull();
    }

    /// Whoever reads hears how the peer has ended it.
    @Test
    void that_the_peer_had_ended_the_connection_is_no_failure_of_a_write() {
        offer(1);
        path.fails = new IOException("Broken pipe");
        writer.write();
        is(false, true);
        assertThat(writer.broken()).isNull();
    }
}
