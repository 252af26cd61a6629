package org.ibidem.hub.relay;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// What a spoke's loop is to wait for: to read from it, unless that rests, and to write to it while
/// there is something.
final class Interest {
    private volatile @Nullable SelectionKey key;
    private volatile boolean resting;

    /// It has come to its loop.
    void registered(SelectionKey at) {
        key = at;
    }

    void write() {
        want(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }

    void noWrite() {
        want(SelectionKey.OP_READ);
    }

    /// Nothing is to be read for a while.
    void rest() {
        resting = true;
        write();
    }

    boolean isResting() {
        return resting;
    }

    /// It may be read again.
    void goOn() {
        resting = false;
        write();
    }

    private void want(int wished) {
        int interest = resting ? wished & ~SelectionKey.OP_READ : wished;
        var at = key;
        try {
            if (at != null && at.interestOps() != interest) {
                at.interestOps(interest);
                at.selector().wakeup();
            }
        } catch (CancelledKeyException _) {
            // its loop is about to end it
        }
    }
}
