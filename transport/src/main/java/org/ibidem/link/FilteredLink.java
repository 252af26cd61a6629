package org.ibidem.link;

import java.time.Duration;

/// A link made of a filter's two ends over a lower link, which it closes.
///
/// @param sink the direction away from here
/// @param source the direction towards here
/// @param lower what lies below
/// @param delivery what may become of frames on the way
public record FilteredLink(FrameSink sink, FrameSource source, Link lower, DeliveryFaults delivery)
        implements FrameLink {
    /// One that delivers what the lower one does.
    public FilteredLink(FrameSink sink, FrameSource source, Link lower) {
        this(sink, source, lower, lower.delivery());
    }

    @Override
    public boolean drain(Duration limit) {
        return lower.drain(limit);
    }

    @Override
    public void close() {
        lower.close();
    }
}
