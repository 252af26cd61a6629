package org.ibidem.filter.reliable;

import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSource;
import org.ibidem.wait.Waitable;
import org.ibidem.wait.WaitableOver;

/// The reader's end: lends frames from the window, in order.
final class ReliableSource implements FrameSource, WaitableOver {
    private final ReliableLink link;

    ReliableSource(ReliableLink link) {
        this.link = link;
    }

    @Override
    public boolean poll(Frame lent) {
        link.lock.lock();
        try {
            giveBack();
            link.attend();
            if (!link.receiving.hasNext() || link.speech.isOpen()) {
                link.pump(link.now());
            }
            if (link.receiving.hasNext()) {
                link.receiving.lend(lent);
                return true;
            }
            link.requireWhole();
            return false;
        } finally {
            link.lock.unlock();
        }
    }

    @Override
    public void release() {
        link.lock.lock();
        try {
            giveBack();
        } finally {
            link.lock.unlock();
        }
    }

    private void giveBack() {
        link.receiving.giveBack();
        link.speech.hasRead();
    }

    @Override
    public Waitable below() {
        return link.reader();
    }
}
