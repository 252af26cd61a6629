package org.ibidem.filter.mend;

import org.ibidem.link.Delivering;
import org.ibidem.link.DeliveryFaults;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Lower;

/// Says that what is below is faithful, as a filter does that sends again what was lost. For links
/// that may lose frames and, as it happens, do not.
public final class MendFilter implements FrameFilter, Delivering {
    /// No options.
    public record Mend() {}

    @Override
    public String name() {
        return "mend";
    }

    @Override
    public Class<Mend> options() {
        return Mend.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public DeliveryFaults delivery(DeliveryFaults below, Record options) {
        return DeliveryFaults.FAITHFUL;
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new FilteredLink(below.sink(), below.source(), below, DeliveryFaults.FAITHFUL);
    }
}
