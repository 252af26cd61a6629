package org.ibidem.filter.multireceive;

import java.util.List;
import org.ibidem.link.FanIn;
import org.ibidem.link.FrameSource;
import org.ibidem.link.Losses;

/// The filter `multireceive`: messages come from several senders, over a link each.
///
/// The links are looked at in turn, beginning after the one that had the last message, so none can
/// starve another; those that are idle rest, where their network can tell of 64 by one word, and
/// are not looked at ([Lookout]). No thread stands between the links and the reader, and nothing is
/// copied.
public final class MultireceiveFilter implements FanIn {
    /// Found by its `provides` line.
    public MultireceiveFilter() {}

    @Override
    public String name() {
        return "multireceive";
    }

    @Override
    public Class<Multireceive> options() {
        return Multireceive.class;
    }

    @Override
    public FanIn.Source over(List<? extends FrameSource> lowers, Record options, Losses losses) {
        return new MultireceiveSource(lowers, losses);
    }
}
