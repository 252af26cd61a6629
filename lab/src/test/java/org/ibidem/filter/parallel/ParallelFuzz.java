package org.ibidem.filter.parallel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.time.Duration;
import org.ibidem.lab.fuzz.Never;
import org.ibidem.link.Line;
import org.ibidem.link.Lower.Again;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// Whatever a peer sends on its connections: bytes in order, each place once, or connections that
/// are closed for a reason.
///
/// The first byte says how large the pieces are in which it comes, the second whether on the first
/// connection or on one that is added. Before it, five bytes are sent, so that there is something
/// to acknowledge.
public final class ParallelFuzz {
    private static final Parallel OPTIONS = new Parallel(4, Duration.ofSeconds(3));

    private ParallelFuzz() {}

    /// Called by the fuzzer.
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        boolean added = (input[1] & 1) != 0;
        var bytes = ByteBuffer.wrap(input).position(2);
        var nothing = ByteBuffer.allocate(0);
        var first = new Peer(added ? nothing : bytes, 1 + (input[0] & 0xFF));
        var bundle = new Bundle(false, OPTIONS, Line.UNKNOWN, new Never());
        bundle.begin(first, new NoMore());
        if (added) {
            bundle.seats().arrived(new Peer(bytes, 1 + (input[0] & 0xFF)));
        }
        long got = 0;
        var room = ByteBuffer.allocateDirect(300);
        try {
            bundle.write(ByteBuffer.allocateDirect(5));
            bundle.flush();
            int left;
            do {
                left = bytes.remaining();
                got += Math.max(0, bundle.read(room.clear()));
            } while (bytes.remaining() < left || room.position() > 0);
        } catch (IOException e) {
            if (e.getMessage() == null) {
                throw new AssertionError("it does not say why", e);
            }
        }
        if (got > input.length) {
            throw new AssertionError(got + " bytes came of " + input.length);
        }
        bundle.close();
        bundle.reset();
    }

    private record NoMore() implements Again {
        @Override
        public StreamPath stream() throws IOException {
            throw new IOException("there are no more");
        }

        @Override
        public void close() {}
    }

    /// Sends what it is given, and takes whatever comes.
    private static final class Peer implements StreamPath, Waitable {
        private static final SocketAddress PLACE = InetSocketAddress.createUnresolved("peer", 1);
        private final ByteBuffer bytes;
        private final int most;
        private boolean closed;

        Peer(ByteBuffer bytes, int most) {
            this.bytes = bytes;
            this.most = most;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (closed) {
                throw new IOException("closed");
            }
            int some = Math.min(Math.min(most, bytes.remaining()), into.remaining());
            into.put(bytes.slice(bytes.position(), some));
            bytes.position(bytes.position() + some);
            return some;
        }

        @Override
        public int write(ByteBuffer from) {
            int all = from.remaining();
            from.position(from.limit());
            return all;
        }

        @Override
        public Waitable readable() {
            return this;
        }

        @Override
        public Waitable writable() {
            return this;
        }

        @Override
        public Armed arm() {
            return Armed.SLEEP;
        }

        @Override
        public void disarm() {}

        @Override
        public @Nullable SelectableChannel channel() {
            return null;
        }

        @Override
        public int interest() {
            return 0;
        }

        @Override
        public void bell(Doorbell bell) {}

        @Override
        public void blocking(boolean wait) {}

        @Override
        public void end() {}

        @Override
        public void reset() {
            closed = true;
        }

        @Override
        public SocketAddress remote() {
            return PLACE;
        }

        @Override
        public boolean isOpen() {
            return !closed;
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
