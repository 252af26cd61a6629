package org.ibidem.authority;

import org.ibidem.IbidemException;

/// An authority cannot be made, opened or used; the message says why and what to do.
public final class AuthorityFailed extends IbidemException {
    private static final long serialVersionUID = 1L;

    AuthorityFailed(String why) {
        super(why);
    }

    AuthorityFailed(String why, Throwable cause) {
        super(why, cause);
    }
}
