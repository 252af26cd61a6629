package mpi;

import org.ibidem.mpj.ErrorClass;
import org.jspecify.annotations.Nullable;

/// A call of MPI failed. Unchecked, as in MPJ Express: programs without `throws` compile.
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /// What failed.
    private final ErrorClass errorClass;

    /// Without a reason.
    public MPIException() {
        this.errorClass = ErrorClass.UNKNOWN;
    }

    /// @param message the reason
    public MPIException(@Nullable String message) {
        super(message);
        this.errorClass = ErrorClass.UNKNOWN;
    }

    /// @param cause what it came from
    public MPIException(@Nullable Throwable cause) {
        super(cause);
        this.errorClass = ErrorClass.UNKNOWN;
    }

    MPIException(ErrorClass errorClass, String message, Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    /// The error class, such as [MPI#ERR_RANK].
    public int Get_error_class() {
        return errorClass.code();
    }
}
