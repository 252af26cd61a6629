package org.ibidem.rmi;

import org.ibidem.port.SendPort;

/// Sends the calls of several threads together. While whoever reads replies is busy with those that
/// have come, calls that are made stay in their port, and it sends them all before it waits: each
/// by itself would cost a system call, and wake the server. While it waits, whoever makes a call
/// sends it.
///
/// Both sides write before they read what the other has written: either who made a call sees that
/// nobody is busy any more, or who goes to wait sees the call.
final class Together {
    private final SendPort out;
    private volatile boolean busy;
    private volatile boolean kept;

    /// @param out where calls go
    Together(SendPort out) {
        this.out = out;
    }

    /// Whether a call may be kept: somebody will send it. Its maker waits for its reply.
    boolean isBusy() {
        return busy;
    }

    /// Replies have come; [#waits] is to follow.
    void reads() {
        if (!busy) {
            busy = true;
        }
    }

    /// Whoever reads replies is about to wait for them.
    void waits() {
        if (busy) {
            busy = false;
        }
        if (kept) {
            kept = false;
            if (!out.tryFlush()) {
                kept = true; // whoever has a message in hand sends it; if not, next time
            }
        }
    }

    /// A call was kept in the port.
    void keeps() {
        kept = true;
        if (!busy) {
            out.flush();
        }
    }
}
