package org.ibidem.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.Ring;
import org.ibidem.link.StreamPath;
import org.ibidem.ring.RingLink;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Signal;
import org.ibidem.wait.Waitable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two ends that cannot open each other's pipe ring over the path by which they met, be it one that
/// keeps what is written until it is flushed, and that no selector takes.
@Timeout(20)
class MetBellTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";

    @TempDir Path folder;
    private final Keeping one = new Keeping();
    private final Keeping other = new Keeping();
    private RingLink writes;
    private RingLink reads;

    /// Bytes of one end of a path.
    private static final class Keeping implements StreamPath {
        private final ReentrantLock lock = new ReentrantLock();
        private final Signal readable = new Signal(lock, () -> here() == 0);
        private Keeping peer = this;
        private int kept;
        private int come;

        private int here() {
            return come;
        }

        @Override
        public int write(ByteBuffer from) {
            int bytes = from.remaining();
            from.position(from.limit());
            kept += bytes;
            return bytes;
        }

        @Override
        public boolean flush() {
            peer.lock.lock();
            try {
                peer.come += kept;
                kept = 0;
                peer.readable.ring();
                return true;
            } finally {
                peer.lock.unlock();
            }
        }

        @Override
        public int read(ByteBuffer into) {
            lock.lock();
            try {
                int bytes = Math.min(come, into.remaining());
                into.position(into.position() + bytes);
                come -= bytes;
                return bytes;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public Waitable readable() {
            return readable;
        }

        @Override
        public Waitable writable() {
            return readable;
        }

        @Override
        public SocketAddress remote() {
            return InetSocketAddress.createUnresolved("nowhere", 1);
        }

        @Override
        public void blocking(boolean wait) {}

        @Override
        public void end() {}

        @Override
        public void reset() {}

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void meet() throws IOException {
        one.peer = other;
        other.peer = one;
        var segment = Segment.create(folder, KEY, new Shm());
        var layout = segment.layout();
        var memory = segment.memory();
        writes =
                new ProcessBell(one, segment, folder, Spare.take())
                        .link(
                                Ring.writer(memory, layout.forward()),
                                Ring.reader(memory, layout.backward()));
        reads =
                new ProcessBell(other, segment, folder, Spare.take())
                        .link(
                                Ring.writer(memory, layout.backward()),
                                Ring.reader(memory, layout.forward()));
        Files.delete(Segment.file(folder, KEY));
    }

    @AfterEach
    void close() {
        writes.close();
        reads.close();
    }

    @Test
    void who_sleeps_is_rung_each_time() {
        var rung = new AtomicInteger();
        var sleeper = Waitable.of(reads.source());
        sleeper.bell(rung::incrementAndGet);
        var frame = new Frame();
        for (int i = 1; i <= 5; i++) {
            assertThat(sleeper.arm()).isNotEqualTo(Armed.READY);
            assertThat(rung).hasValue(i - 1);
            assertThat(writes.sink().claim(frame, 1)).isTrue();
            frame.position++;
            writes.sink().commit(frame, Frame.END);
            assertThat(rung).as("at the sleep number " + i).hasValue(i);
            sleeper.disarm();
            assertThat(reads.source().poll(frame)).isTrue();
            reads.source().release();
        }
    }
}
