package org.ibidem.filter.rate;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.ibidem.link.ByteStream;
import org.ibidem.link.Delivery;
import org.ibidem.link.Sleepy;
import org.jspecify.annotations.Nullable;

/// A byte stream of which no more is written than it may.
final class RateStream implements ByteStream {
    private final ByteStream below;
    private final Taker taker;
    private final Sleepy writable;

    RateStream(ByteStream below, Taker taker) {
        this.below = below;
        this.taker = taker;
        this.writable = taker.over(Sleepy.of(below.writable()));
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
    public @Nullable Sleepy readable() {
        return below.readable();
    }

    @Override
    public Sleepy writable() {
        return writable;
    }

    @Override
    public Delivery delivery() {
        return below.delivery();
    }

    @Override
    public void close() {
        taker.leave();
        below.close();
    }
}
