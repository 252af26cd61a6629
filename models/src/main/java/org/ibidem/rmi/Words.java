package org.ibidem.rmi;

import org.ibidem.IbidemException;
import org.ibidem.port.ObjectRefused;

/// What nodes say to each other: `docs/wire/rmi.md`.
final class Words {
    /// A call follows, whose reply is awaited.
    static final byte CALL = 0;

    /// A call follows that gets no reply.
    static final byte ONE_WAY = 1;

    /// The reply to a call is not wanted any more.
    static final byte CANCEL = 2;

    /// The references in a reply have come: their owners know who has them.
    static final byte RECEIVED = 3;

    /// A result follows.
    static final byte RETURNED = 0;

    /// What the method threw follows: as text, and as an object if it can travel.
    static final byte THREW = 1;

    /// There is no such object.
    static final byte NO_OBJECT = 2;

    /// The object has no such method.
    static final byte NO_METHOD = 3;

    /// The arguments could not be read; why follows.
    static final byte BAD_ARGUMENTS = 4;

    /// It has run, and its result cannot travel; why follows.
    static final byte BAD_RESULT = 5;

    /// The references in a call have come: their owners know who has them.
    static final byte TAKEN = 6;

    /// Of a text that says why.
    private static final int LONGEST = 4096;

    private Words() {}

    /// Of what was not let in, that it was not is said already.
    static String reason(Throwable why) {
        var what = why instanceof ObjectRefused && why.getCause() != null ? why.getCause() : why;
        return brief(what) + ThrownText.advice(what);
    }

    static String brief(Throwable why) {
        var text = IbidemException.describe(why);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
