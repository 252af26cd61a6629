package org.ibidem.messaging;

import org.ibidem.IbidemException;

/// A call has no answer. Whatever the reason, it is this one exception.
public final class CallFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final Why why;

    /// The reasons.
    public enum Why {
        /// The deadline has passed. Whether the server has done something is not known.
        TIME,
        /// The server is gone, or the connection to it: there is a cause where it is known.
        GONE,
        /// The server's handler threw; the message says what.
        THREW,
        /// The question or the answer cannot be sent, or is not let in.
        REFUSED,
        /// It was cancelled here, or the thread that waited was interrupted (which is its cause).
        CANCELLED
    }

    CallFailed(Why why, String message) {
        super(message);
        this.why = why;
    }

    CallFailed(Why why, String message, Throwable cause) {
        super(message, cause);
        this.why = why;
    }

    /// The reason, for programs.
    public Why why() {
        return why;
    }
}
