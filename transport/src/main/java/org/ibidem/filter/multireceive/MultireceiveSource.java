package org.ibidem.filter.multireceive;

import java.util.List;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FanIn;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.link.Losses;
import org.jspecify.annotations.Nullable;

/// The source over several lowers.
final class MultireceiveSource implements FanIn.Source {
    private final @Nullable FrameSource[] lowers;
    private final Losses losses;
    private final Lookout lookout;

    /// Who lent last; who is looked at next between messages is the one after.
    private int current;

    private boolean inMessage;

    MultireceiveSource(List<? extends FrameSource> lowers, Losses losses) {
        this.lowers = lowers.toArray(FrameSource[]::new);
        this.losses = losses;
        this.lookout = new Lookout(lowers);
    }

    @Override
    public boolean poll(Frame lent) {
        if (inMessage) {
            return goOn(lent);
        }
        lookout.begin();
        int last = current;
        for (int at = lookout.next(last + 1); at >= 0; at = lookout.next(at + 1)) {
            if (begins(at, lent)) {
                return true;
            }
        }
        for (int at = lookout.next(0); at >= 0 && at <= last; at = lookout.next(at + 1)) {
            if (begins(at, lent)) {
                return true;
            }
        }
        return false;
    }

    /// Where all but one rest, as the only one there is.
    @Override
    public boolean glance(Frame lent) {
        if (inMessage || !lookout.isAlone(current)) {
            return false;
        }
        var lower = lowers[current];
        if (lower == null || !lower.glance(lent)) {
            return false;
        }
        lookout.found(current);
        return true;
    }

    private boolean begins(int at, Frame lent) {
        if (!poll(at, lent)) {
            lookout.missed(at);
            return false;
        }
        lookout.found(at);
        current = at;
        inMessage = goesOn(lent);
        return true;
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
            lookout.lost(i);
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
            lookout.lost(current);
            throw e;
        }
        inMessage = goesOn(lent);
        return true;
    }

    @Override
    public int lender() {
        return current;
    }

    @Override
    public void release() {
        var lower = lowers[current];
        if (lower != null) {
            lower.release();
        }
    }
}
