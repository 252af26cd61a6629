package org.ibidem.filter.rate;

import java.io.IOException;
import org.ibidem.link.ByteStream;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;
import org.ibidem.link.StreamFilter;

/// The filter `rate`: this end sends no more bytes a second than a limit. Shows nothing on the
/// wire.
public final class RateFilter implements FrameFilter, StreamFilter {
    private final Shares shares;

    /// Found by its `provides` line.
    public RateFilter() {
        this(Shares.HERE);
    }

    RateFilter(Shares shares) {
        this.shares = shares;
    }

    @Override
    public String name() {
        return "rate";
    }

    @Override
    public Class<Rate> options() {
        return Rate.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower)
            throws IOException {
        return new RateLink(below, shares.join((Rate) options, lower.tasks()));
    }

    @Override
    public ByteStream over(ByteStream below, Record options, Lower lower) throws IOException {
        return new RateStream(below, shares.join((Rate) options, lower.tasks()));
    }
}
