package org.ibidem.vlink;

import org.ibidem.IbidemException;

/// A VLink or a file cannot be had, or does not go on: why, for programs and for people.
public final class VLinkFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    /// What happened.
    public enum Kind {
        /// Nobody listens there under that name.
        REFUSED,

        /// The node cannot be reached, or no stack to it can be had.
        UNREACHABLE,

        /// The time limit of a connect was over.
        TIMED_OUT,

        /// The other end closed it urgently, and said why.
        RESET,

        /// Something was written, and the other end reads no more.
        UNREAD,

        /// The link, or the process at its other end, is gone.
        BROKEN,

        /// It was closed at this end.
        CLOSED,

        /// The system refused what was to be done to a file; its own words are the cause.
        FILE,

        /// As many operations on files wait as may.
        BUSY,

        /// The posted operation was cancelled.
        CANCELLED
    }

    private final Kind kind;

    VLinkFailed(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    VLinkFailed(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /// What happened.
    public Kind kind() {
        return kind;
    }

    /// The same for another thread to throw.
    VLinkFailed again() {
        return new VLinkFailed(kind, String.valueOf(getMessage()), this);
    }
}
