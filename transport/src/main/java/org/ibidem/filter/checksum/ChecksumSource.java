package org.ibidem.filter.checksum;

import static org.ibidem.filter.checksum.ChecksumFilter.HEADER;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameLink;
import org.ibidem.link.FrameSource;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// Checks each frame's sum.
final class ChecksumSource implements FrameSource, WaitableOver {
    private final FrameLink link;
    private final FrameSource lower;
    private final Waitable below;
    private final boolean loses;
    private final Sum sum = new Sum();

    ChecksumSource(FrameLink link, boolean loses) {
        this.link = link;
        this.lower = link.source();
        this.below = Waitable.of(lower);
        this.loses = loses;
    }

    @Override
    public boolean poll(Frame lent) {
        while (lower.poll(lent)) {
            if (lent.room() >= HEADER && right(lent)) {
                lent.position += HEADER;
                return true;
            }
            if (!loses) {
                throw altered(lent);
            }
        }
        return false;
    }

    private boolean right(Frame lent) {
        long at = lent.position;
        return lent.memory.get(Sum.INT, at) == sum.of(lent, at + HEADER, lent.limit, lent.flags);
    }

    private LinkBroken altered(Frame lent) {
        long bytes = lent.room();
        lent.empty();
        link.close();
        return new LinkBroken(
                "a frame of "
                        + bytes
                        + " bytes arrived altered: its checksum is wrong; the link was closed");
    }

    @Override
    public void release() {
        lower.release();
    }

    @Override
    public Waitable below() {
        return below;
    }
}
