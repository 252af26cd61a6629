package org.ibidem.messaging;

import org.ibidem.IbidemException;

/// What callers and servers say to each other: `docs/wire/messaging.md`.
final class Words {
    /// A question follows, with its time.
    static final byte ASK = 0;

    /// The answer to a question is not wanted any more.
    static final byte CANCEL = 1;

    /// An answer follows.
    static final byte ANSWER = 0;

    /// The handler threw; what it was follows.
    static final byte THREW = 1;

    /// The question was not let in, or the answer cannot be sent; why follows.
    static final byte REFUSED = 2;

    /// Of a text that says why.
    private static final int LONGEST = 4096;

    private Words() {}

    static String brief(Throwable why) {
        var text = IbidemException.describe(why);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
