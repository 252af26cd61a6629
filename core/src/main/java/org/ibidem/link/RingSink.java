package org.ibidem.link;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.ibidem.buffer.Frame;
import org.ibidem.buffer.RingWriter;
import org.jspecify.annotations.Nullable;

/// The sending side of a [RingLink].
final class RingSink implements FrameSink, Sleepy {
    private final RingWriter ring;
    private final RingLink link;
    private volatile @Nullable Doorbell bell;

    RingSink(RingWriter ring, RingLink link) {
        this.ring = ring;
        this.link = link;
    }

    @Override
    public boolean claim(Frame room, int atLeast) {
        var broken = link.reason();
        if (broken != null) {
            throw new LinkBroken(broken);
        }
        try {
            return ring.claim(room, atLeast);
        } catch (IllegalStateException e) {
            throw link.violated(e);
        }
    }

    @Override
    public boolean commit(Frame room, int flags) {
        try {
            ring.commit(room, flags);
        } catch (IllegalStateException e) {
            throw link.violated(e);
        }
        if ((flags & (Frame.MORE | Frame.HOLD)) == 0) {
            push();
        }
        return true;
    }

    @Override
    public boolean push() {
        if (ring.mustWakeReader()) {
            link.wakePeer();
        }
        return true;
    }

    @Override
    public int largest() {
        return ring.largest();
    }

    void ring() {
        var mine = bell;
        if (mine != null) {
            mine.ring();
        }
    }

    @Override
    public boolean arm() {
        push();
        return link.reason() == null && ring.sleep();
    }

    @Override
    public void disarm() {
        ring.awake();
        link.look();
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return link.channel();
    }

    /// Room is announced by the peer's bell, which becomes readable.
    @Override
    public int interest() {
        return SelectionKey.OP_READ;
    }

    @Override
    public void bell(Doorbell waiter) {
        bell = waiter;
    }
}
