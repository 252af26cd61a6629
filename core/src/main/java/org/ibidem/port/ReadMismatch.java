package org.ibidem.port;

import org.ibidem.IbidemException;

/// A read did not match what was written, or the message was over. Says both kinds and the byte of
/// the message. Where reads are checked, what was written can still be read as what it is. The
/// connection goes on.
public final class ReadMismatch extends IbidemException {
    private static final long serialVersionUID = 1L;

    ReadMismatch(String message) {
        super(message);
    }

    /// A value that does not lie where it was looked for.
    static ReadMismatch apart(int bytes, long at, long here) {
        return new ReadMismatch(
                "a value of "
                        + bytes
                        + " bytes was read at byte "
                        + at
                        + " of the message, where only "
                        + here
                        + " were written together: reads must match the writes in kind and order");
    }

    /// The message is over.
    static ReadMismatch end(long after, String wanted) {
        return new ReadMismatch(
                "the message ends after " + after + " bytes, where " + wanted + " was to be read");
    }

    /// No writer of ours has written that.
    static ReadMismatch foreign(long at, String what) {
        return new ReadMismatch(
                "what was sent at byte "
                        + at
                        + " of the message "
                        + what
                        + ": the sender is not one of ours");
    }

    /// There are not so many.
    static ReadMismatch tooMany(String wanted, long at, long left) {
        return new ReadMismatch(
                wanted
                        + " were to be read at byte "
                        + at
                        + " of the message, where "
                        + left
                        + " are left of those written together");
    }
}
