package org.ibidem.rmi;

/// The time limit of a call has passed without a reply: the method may have run. The server was
/// told that nobody waits any more.
public final class CallTimedOut extends ReplyLost {
    private static final long serialVersionUID = 1L;

    CallTimedOut(String message) {
        super(message);
    }
}
