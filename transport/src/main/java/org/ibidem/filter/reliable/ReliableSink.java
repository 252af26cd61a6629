package org.ibidem.filter.reliable;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The writer's end: frames are filled in place in the window, and copied from there below.
///
/// The end of a direction counts as pushed when it was acknowledged: whoever closes after that
/// leaves nothing behind.
final class ReliableSink implements FrameSink, WaitableOver {
    private final ReliableLink link;
    private final int largest;
    private boolean ended;
    private int end;

    ReliableSink(ReliableLink link, int largest) {
        this.link = link;
        this.largest = largest;
    }

    /// @throws LinkBroken when it is over
    @Override
    public boolean claim(Frame room, int atLeast) {
        if (atLeast > largest) {
            throw new IllegalArgumentException(
                    "a claim of %d bytes; frames of this link have at most %d"
                            .formatted(atLeast, largest));
        }
        link.lock.lock();
        try {
            link.requireWhole();
            link.attend();
            if (!link.sending.mayGoOn()) {
                link.pump(link.now());
                link.requireWhole();
            }
            boolean granted = link.sending.mayGoOn();
            link.speech.wants(!granted, granted ? 0 : link.now());
            if (granted) {
                link.sending.show(room);
            }
            return granted;
        } finally {
            link.lock.unlock();
        }
    }

    @Override
    public boolean commit(Frame room, int flags) {
        link.lock.lock();
        try {
            link.requireWhole();
            link.sending.commit(room, flags);
            if ((flags & Frame.END) != 0) {
                ended = true;
                end = link.sending.next();
            }
            link.speech.send(link.now());
            link.attend();
            if (link.sending.mayGoOn()) {
                link.sending.show(room);
            } else {
                room.empty();
            }
            return isOut();
        } finally {
            link.lock.unlock();
        }
    }

    @Override
    public boolean push() {
        link.lock.lock();
        try {
            link.requireWhole();
            link.attend();
            if (!isOut()) {
                link.pump(link.now());
                link.requireWhole();
            }
            return isOut();
        } finally {
            link.lock.unlock();
        }
    }

    private boolean isOut() {
        return !awaitsEnd() && link.speech.isOut();
    }

    private boolean awaitsEnd() {
        ended = ended && link.sending.first() - end < 0;
        return ended;
    }

    /// Whether a writer that waits may look again. With the lock.
    boolean mayGoOn() {
        return !awaitsEnd() && link.sending.mayGoOn();
    }

    @Override
    public int largest() {
        return largest;
    }

    @Override
    public Waitable below() {
        return link.writer();
    }
}
