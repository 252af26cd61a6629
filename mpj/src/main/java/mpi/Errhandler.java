package mpi;

import org.ibidem.mpj.Fault;

/// What becomes of an error: it ends the job ([MPI#ERRORS_ARE_FATAL]) or is thrown
/// ([MPI#ERRORS_RETURN]).
public class Errhandler {
    final boolean fatal;

    Errhandler(boolean fatal) {
        this.fatal = fatal;
    }

    /// The handler, unless there is none; who calls may not be null-marked.
    static Errhandler given(Errhandler handler, Comm comm) {
        try {
            return Fault.given(handler, "error handler");
        } catch (Fault e) {
            throw comm.failure("Errorhandler_set", e);
        }
    }
}
