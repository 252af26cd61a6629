package org.ibidem.filter.multireceive;

import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Losses;
import org.jspecify.annotations.Nullable;

/// The source over several lowers.
final class MultireceiveSource implements FrameSource {
    private final @Nullable FrameSource[] lowers;
    private final Losses losses;

    /// Who lent last; who is looked at next between messages is the one after.
    private int current;

    private boolean inMessage;

    MultireceiveSource(List<? extends FrameSource> lowers, Losses losses) {
        this.lowers = lowers.toArray(FrameSource[]::new);
        this.losses = losses;
    }

    @Override
    public boolean poll(Frame lent) {
        if (inMessage) {
            return goOn(lent);
        }
        int count = lowers.length;
        int at = current;
        for (int i = 0; i < count; i++) {
            at = at + 1 < count ? at + 1 : 0;
            if (poll(at, lent)) {
                current = at;
                inMessage = goesOn(lent);
                return true;
            }
        }
        return false;
    }

    /// An end is one, whatever else its frame says.
    private static boolean goesOn(Frame lent) {
        return (lent.flags & (Frame.MORE | Frame.END | Frame.ABANDONED)) == Frame.MORE;
    }

    private boolean poll(int i, Frame lent) {
        var lower = lowers[i];
        try {
            return lower != null && lower.poll(lent);
        } catch (LinkBroken e) {
            lowers[i] = null;
            losses.lost(i, e);
            return false;
        }
    }

    private boolean goOn(Frame lent) {
        var lower = lowers[current];
        if (lower == null) {
            throw new LinkBroken("the link is gone");
        }
        try {
            if (!lower.poll(lent)) {
                return false;
            }
        } catch (LinkBroken e) {
            inMessage = false;
            lowers[current] = null;
            throw e;
        }
        inMessage = goesOn(lent);
        return true;
    }

    @Override
    public void release() {
        var lower = lowers[current];
        if (lower != null) {
            lower.release();
        }
    }
}
