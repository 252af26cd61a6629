package org.ibidem.filter.rate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.ibidem.link.ByteStream;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// A byte stream of which no more is written than it may.
final class RateStream implements ByteStream {
    private final ByteStream below;
    private final Taker taker;
    private final Waitable writable;

    RateStream(ByteStream below, Taker taker) {
        this.below = below;
        this.taker = taker;
        this.writable = taker.over(Waitable.of(below.writable()));
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int limit = from.limit();
        int may = from.hasRemaining() ? (int) taker.may(from.remaining()) : 0;
        if (may == 0) {
            return 0;
        }
        from.limit(from.position() + may);
        int taken;
        try {
            taken = below.write(from);
        } finally {
            from.limit(limit);
        }
        taker.sent(taken);
        if (taken < may) {
            taker.heldBelow();
        }
        return taken;
    }

    @Override
    public boolean flush() throws IOException {
        boolean out = below.flush();
        if (!out) {
            taker.heldBelow();
        }
        return out;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return below.read(into);
    }

    @Override
    public @Nullable Waitable readable() {
        return below.readable();
    }

    @Override
    public Waitable writable() {
        return writable;
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
        taker.leave();
        below.close();
    }
}
