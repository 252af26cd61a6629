package org.ibidem.filter.fragment;

import org.ibidem.link.Collapsing;
import org.ibidem.link.FilteredLink;
import org.ibidem.link.FrameFilter;
import org.ibidem.link.FrameLink;
import org.ibidem.link.Link;
import org.ibidem.link.Lower;
import org.ibidem.link.Terms;

/// The filter `fragment`: no frame carries more than a given size.
///
/// The room that is granted above ends there, so that whoever fills it ends the frame with the flag
/// `MORE` and goes on in the next: no byte is copied and no header is needed, and the receiving
/// side has nothing to do. Frames are not put together again, and a claim larger than the size is
/// refused like any claim above `largest`: what a layer commits as one frame arrives as one frame.
/// A filter that needs larger frames than this grants does not fit above it.
public final class FragmentFilter implements FrameFilter, Collapsing {
    /// Found by its `provides` line.
    public FragmentFilter() {}

    @Override
    public String name() {
        return "fragment";
    }

    @Override
    public Class<Fragment> options() {
        return Fragment.class;
    }

    @Override
    public int header(Record options) {
        return 0;
    }

    @Override
    public boolean idle(Link lower, Record options, Terms terms) {
        return lower instanceof FrameLink frames
                && frames.sink().largest() <= ((Fragment) options).size();
    }

    @Override
    public FrameLink over(FrameLink below, int headerOffset, Record options, Lower lower) {
        var sink = new FragmentSink(below.sink(), ((Fragment) options).size());
        return new FilteredLink(sink, below.source(), below);
    }
}
