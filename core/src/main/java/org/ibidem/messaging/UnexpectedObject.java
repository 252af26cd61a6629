package org.ibidem.messaging;

import org.ibidem.IbidemException;

/// An object came that is not of the kind that was agreed on.
public final class UnexpectedObject extends IbidemException {
    private static final long serialVersionUID = 1L;

    UnexpectedObject(Object got, Class<?> wanted) {
        super(
                "a "
                        + got.getClass().getName()
                        + " came where a "
                        + wanted.getName()
                        + " was expected: both ends must name the same kind");
    }
}
