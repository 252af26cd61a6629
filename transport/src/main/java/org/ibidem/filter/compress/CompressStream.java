package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.wait.Waitable;

/// A byte stream in blocks, each compressed or not.
record CompressStream(ByteStream below, Sending sending, Receiving receiving)
        implements ByteStream {
    @Override
    public int write(ByteBuffer from) throws IOException {
        return sending.write(from);
    }

    @Override
    public boolean flush() throws IOException {
        return sending.flush();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return receiving.read(into);
    }

    @Override
    public Waitable readable() {
        return receiving;
    }

    @Override
    public Waitable writable() {
        return sending;
    }

    @Override
    public DeliveryFaults delivery() {
        return below.delivery();
    }

    @Override
    public boolean drain(Duration limit) {
        return below.drain(limit);
    }

    @Override
    public void close() {
        below.close();
    }
}
