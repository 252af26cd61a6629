package org.ibidem.filter.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.Test;

/// How much one connection may have under way, as time goes by.
class StrandTest {
    private static final long STEP = 200_000_000;
    private static final long SHARE = 1 << 20;

    private final Outgoing outgoing = new Outgoing();
    private final Strand strand = new Strand(new Taking(), 0);
    private long now;
    private long confirmed;

    /// Gives it pieces as long as it takes more.
    private void fill() throws IOException {
        while (strand.takesMore(SHARE)) {
            outgoing.write(ByteBuffer.allocate(Wire.PIECE));
            var span = outgoing.next();
            strand.stage(span, outgoing.pages(), now);
            outgoing.take(span);
            strand.push();
        }
    }

    /// So much comes in a while.
    private void delivers(long bytes) throws IOException {
        fill();
        now += STEP;
        confirmed += Math.min(bytes, strand.underWay());
        strand.confirm(confirmed, Long.MAX_VALUE, confirmed, outgoing, now);
        fill();
    }

    @Test
    void a_new_one_takes_some() throws IOException {
        fill();
        assertThat(strand.underWay()).isEqualTo(4 * Wire.PIECE);
    }

    @Test
    void one_that_has_become_slow_takes_less() throws IOException {
        for (int i = 0; i < 10; i++) {
            delivers(400_000);
        }
        assertThat(strand.underWay()).isBetween(SHARE, SHARE + Wire.PIECE);
        for (int i = 0; i < 60; i++) {
            delivers(20_000);
        }
        assertThat(strand.underWay()).isBetween(2L * Wire.PIECE, 3L * Wire.PIECE);
        assertThat(strand.ahead()).isBetween(1.0, 2.0);
    }

    @Test
    void one_that_becomes_fast_takes_more() throws IOException {
        for (int i = 0; i < 60; i++) {
            delivers(20_000);
        }
        for (int i = 0; i < 10; i++) {
            delivers(400_000);
        }
        assertThat(strand.underWay()).isBetween(SHARE, SHARE + Wire.PIECE);
    }

    /// Takes whatever is written.
    private static final class Taking implements StreamPath {
        @Override
        public int read(ByteBuffer into) {
            return 0;
        }

        @Override
        public int write(ByteBuffer from) {
            int all = from.remaining();
            from.position(from.limit());
            return all;
        }

        @Override
        public Waitable readable() {
            return Waitable.of(null);
        }

        @Override
        public Waitable writable() {
            return Waitable.of(null);
        }

        @Override
        public SocketAddress remote() {
            return new InetSocketAddress(0);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void blocking(boolean wait) {}

        @Override
        public void end() {}

        @Override
        public void reset() {}

        @Override
        public void close() {}
    }
}
