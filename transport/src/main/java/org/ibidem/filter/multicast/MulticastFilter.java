package org.ibidem.filter.multicast;

import java.util.List;
import org.ibidem.link.FanOut;
import org.ibidem.link.FrameSink;
import org.ibidem.link.Losses;

/// The filter `multicast`: what is written goes to several receivers, over a link each.
///
/// The first link's memory is filled, and copied into the memory of the others at commit; where the
/// driver has memory that all of them can read, there is one write for all
/// ([org.ibidem.ring.Broadcast]). The slowest receiver bounds the writer. No thread stands between.
public final class MulticastFilter implements FanOut {
    /// Found by its `provides` line.
    public MulticastFilter() {}

    @Override
    public String name() {
        return "multicast";
    }

    @Override
    public Class<Multicast> options() {
        return Multicast.class;
    }

    @Override
    public FrameSink over(List<? extends FrameSink> lowers, Record options, Losses losses) {
        return new MulticastSink(lowers, (Multicast) options, losses);
    }
}
