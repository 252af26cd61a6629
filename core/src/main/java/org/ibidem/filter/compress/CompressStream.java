package org.ibidem.filter.compress;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Delivery;
import org.ibidem.link.Sleepy;

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
    public Sleepy readable() {
        return receiving;
    }

    @Override
    public Sleepy writable() {
        return sending;
    }

    @Override
    public Delivery delivery() {
        return below.delivery();
    }

    @Override
    public void close() {
        below.close();
    }
}
