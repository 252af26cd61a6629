package org.ibidem.filter.whole;

import org.ibidem.link.Collapsing;
import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Terms;

/// The filter `whole`: over a link that may lose, repeat or reorder frames, what arrives is the
/// beginning of a message in order, and if not its end then word that it was lost; never the frames
/// of two messages as one.
///
/// ```
/// | message u32 | frame u32 | payload ...        little-endian; counted from 0, modulo 2^32
/// ```
///
/// A message that is missing altogether leaves no trace; one whose next frame does not come for
/// some time is given up, for a reader would wait for ever where nothing more is sent. Put in where
/// a port does without reliability and its stack may lose frames; left out over a faithful link.
public final class WholeFilter implements FrameFilter, Collapsing, Delivering {
    static final int HEADER = 8;

    /// Of what comes twice or late, nothing is let through.
    private static final DeliveryFaults LOSES = new DeliveryFaults(true, false, false);

    /// Found by its `provides` line.
    public WholeFilter() {}

    @Override
    public String name() {
        return "whole";
    }

    @Override
    public Class<Whole> options() {
        return Whole.class;
    }

    @Override
    public int header(Record options) {
        return HEADER;
    }

    @Override
    public boolean idle(Link lower, Record options, Terms terms) {
        return lower.delivery().isFaithful();
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return below.isFaithful() ? below : LOSES;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        var source = new WholeSource(below, ((Whole) options).within(), lower.tasks());
        return new FilteredLink(
                new WholeSink(below.sink(), headerOffset),
                source,
                below,
                delivery(below.delivery(), options));
    }
}
