package org.ibidem.satin.rewrite;

import java.io.Serial;
import org.ibidem.IbidemException;

/// A class cannot be rewritten: the message says which method and line, why, and what to do.
public final class Refused extends IbidemException {
    @Serial private static final long serialVersionUID = 1;

    Refused(String message) {
        super(message);
    }
}
