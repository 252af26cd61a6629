package org.ibidem.filter.conversion;

import java.nio.ByteOrder;
import org.ibidem.link.Collapsing;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Terms;

/// The filter `conversion`: messages are written in the byte order of the sender's machine, and the
/// receiver makes it right. Left out where both have the same.
///
/// It goes by the tags of checked messages ([org.ibidem.buffer.Run]), so it serves no others.
public final class ConversionFilter implements FrameFilter, Collapsing {
    /// Found by its `provides` line.
    public ConversionFilter() {}

    @Override
    public String name() {
        return "conversion";
    }

    @Override
    public Class<Conversion> options() {
        return Conversion.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public boolean idle(Link lower, Record options, Terms terms) {
        return terms.order() == ByteOrder.nativeOrder();
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        return new FilteredLink(below.sink(), new ConvertingSource(below), below);
    }
}
