package org.ibidem.mpj;

import org.ibidem.IbidemException;
import org.jspecify.annotations.Nullable;

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

    /// An argument, unless it is null: who calls may not be null-marked.
    ///
    /// @param what it is, for people: *array of counts*
    public static <T> T given(@Nullable T argument, String what) {
        if (argument == null) {
            throw new Fault(ErrorClass.ARG, "an argument is null: the " + what);
        }
        return argument;
    }

    /// Refuses where something is not so.
    public static void unless(boolean so, ErrorClass errorClass, String sentence) {
        if (!so) {
            throw new Fault(errorClass, sentence);
        }
    }
}
