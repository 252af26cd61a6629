package org.ibidem.mpj;

import org.ibidem.IbidemException;

/// A call of MPI cannot be done. What becomes of it, the communicator's error handler says.
public final class Fault extends IbidemException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    /// @param sentence the exact reason
    public Fault(ErrorClass errorClass, String sentence) {
        super(sentence);
        this.errorClass = errorClass;
    }

    /// @param sentence the exact reason
    /// @param cause what it came from
    public Fault(ErrorClass errorClass, String sentence, Throwable cause) {
        super(sentence, cause);
        this.errorClass = errorClass;
    }

    /// Its class.
    public ErrorClass errorClass() {
        return errorClass;
    }

    /// Refuses where something is not so.
    public static void unless(boolean so, ErrorClass errorClass, String sentence) {
        if (!so) {
            throw new Fault(errorClass, sentence);
        }
    }
}
