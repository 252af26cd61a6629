package org.ibidem.filter.rate;

import java.time.Duration;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSink;
import org.ibidem.link.FrameSource;

/// A link of which no more is sent than it may.
final class RateLink implements FrameLink {
    private final FrameLink below;
    private final Taker taker;
    private final FrameSink sink;

    RateLink(FrameLink below, Taker taker) {
        this.below = below;
        this.taker = taker;
        this.sink = new RateSink(below.sink(), taker);
    }

    @Override
    public FrameSink sink() {
        return sink;
    }

    @Override
    public FrameSource source() {
        return below.source();
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
