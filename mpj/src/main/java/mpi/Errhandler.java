package mpi;

/// What becomes of an error: it ends the job ([MPI#ERRORS_ARE_FATAL]) or is thrown
/// ([MPI#ERRORS_RETURN]).
public class Errhandler {
    final boolean fatal;

    Errhandler(boolean fatal) {
        this.fatal = fatal;
    }

    /// The handler, unless there is none; who calls may not be null-marked.
    static Errhandler given(Errhandler handler, Comm comm) {
        if (handler == null) {
            throw comm.failure("Errorhandler_set", new NullPointerException("handler"));
        }
        return handler;
    }
}
