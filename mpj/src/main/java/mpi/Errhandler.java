package mpi;

/// What becomes of an error: it ends the job ([MPI#ERRORS_ARE_FATAL]) or is thrown
/// ([MPI#ERRORS_RETURN]).
public class Errhandler {
    final boolean fatal;

    Errhandler(boolean fatal) {
        this.fatal = fatal;
    }
}
