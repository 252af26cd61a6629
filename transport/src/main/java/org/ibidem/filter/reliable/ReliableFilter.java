package org.ibidem.filter.reliable;

import org.ibidem.link.Collapsing;
import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Terms;

/// The filter `reliable`: repeats what was lost, drops what comes twice, puts in order.
public final class ReliableFilter implements FrameFilter, Delivering, Collapsing {
    /// Found by its `provides` line.
    public ReliableFilter() {}

    @Override
    public String name() {
        return "reliable";
    }

    @Override
    public Class<Reliable> options() {
        return Reliable.class;
    }

    @Override
    public int header(Record options) {
        return Header.BYTES;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return DeliveryFaults.FAITHFUL;
    }

    /// There is nothing to mend over a faithful link, which both ends know alike.
    @Override
    public boolean idle(Link lower, Record options, Terms terms) {
        return lower.delivery().isFaithful();
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        var link = new ReliableLink(below, headerOffset, (Reliable) options, lower.tasks());
        link.begin();
        return link;
    }
}
