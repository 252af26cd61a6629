package org.ibidem.tls;

import java.io.IOException;
import javax.net.ssl.SSLException;

/// What came over a session of TLS is not what its other end has encrypted, as one of both has
/// noticed; the message says which. Nothing more is taken or said in it.
public final class SessionBroken extends IOException {
    private static final long serialVersionUID = 1L;

    /// As the JDK says it.
    private static final String ALERT = "Received fatal alert";

    private static final String HERE = "what came is not what the peer encrypted: ";
    private static final String THERE =
            "the other end broke the session, as what came there is not what this end encrypted: ";

    private SessionBroken(String why, Throwable cause) {
        super(why, cause);
    }

    /// What it means that a record cannot be decrypted.
    public static SessionBroken of(SSLException e) {
        var said = String.valueOf(e.getMessage());
        return new SessionBroken(
                (said.contains(ALERT)
                                ? THERE
                                : HERE
                                        + "a record was altered, invented, repeated or left out on"
                                        + " the way: ")
                        + said,
                e);
    }

    /// Whether it is this of which something failed that was carried over the session.
    public static boolean isCauseOf(IOException failure) {
        var said = String.valueOf(failure.getMessage());
        return said.contains(HERE) || said.contains(THERE);
    }

    /// The same, for another thread.
    public SessionBroken again() {
        return new SessionBroken(String.valueOf(getMessage()), this);
    }
}
