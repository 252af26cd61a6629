package org.ibidem.filter.parallel;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.ibidem.link.StreamPath;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A path of several connections, to be used as one.
final class ParallelPath implements StreamPath {
    private final StreamPath first;
    private final Bundle bundle;
    private volatile boolean waits;

    ParallelPath(StreamPath first, Bundle bundle) {
        this.first = first;
        this.bundle = bundle;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int got = bundle.read(into);
        while (waits && got == 0 && into.hasRemaining()) {
            bundle.await();
            got = bundle.read(into);
        }
        return got;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int before = from.remaining();
        int taken = bundle.write(from);
        while (waits && (taken < before || !bundle.flush())) {
            bundle.await();
            taken += bundle.write(from);
        }
        return taken;
    }

    @Override
    public boolean flush() throws IOException {
        return bundle.flush();
    }

    @Override
    public Waitable readable() {
        return bundle.readable;
    }

    @Override
    public Waitable writable() {
        return bundle.writable;
    }

    @Override
    public void blocking(boolean wait) {
        waits = wait;
    }

    @Override
    public void tune(int send, int receive) throws IOException {
        bundle.tune(send, receive);
    }

    @Override
    public void end() {
        bundle.endOutgoing();
    }

    @Override
    public void reset() {
        bundle.reset();
    }

    @Override
    public @Nullable SocketAddress local() {
        return first.local();
    }

    @Override
    public SocketAddress remote() {
        return first.remote();
    }

    @Override
    public boolean isOpen() {
        return bundle.isOpen();
    }

    @Override
    public boolean drain(Duration limit) {
        return bundle.drain(limit);
    }

    @Override
    public void close() {
        bundle.close();
    }
}
