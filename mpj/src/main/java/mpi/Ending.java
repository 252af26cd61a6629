package mpi;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.stream.Stream;

/// How a process ends its whole job.
interface Ending {
    /// Ends it.
    ///
    /// @param code what the process exits with
    /// @param why for people, with where
    void end(int code, MPIException why);

    /// Says why and exits: whoever started the job ends its other processes.
    ///
    /// @param debug with the stack
    static Ending ofProcess(boolean debug) {
        return (code, why) -> {
            System.err.println(said(why, debug));
            System.exit((code & 0xff) == 0 ? 1 : code & 0xff);
        };
    }

    /// The same for who could not begin: the reason says all.
    static void notBegun(MPIException why, boolean debug) {
        Throwable cause = why.getCause();
        System.err.println(
                debug || cause == null ? said(why, debug) : "MPI.Init: " + cause.getMessage());
        System.exit(why.Get_error_class());
    }

    /// What is printed: of an error one line, with where in the program it was and what may be
    /// done.
    static String said(MPIException why, boolean debug) {
        if (debug) {
            StringWriter stack = new StringWriter();
            why.printStackTrace(new PrintWriter(stack));
            return stack.toString().stripTrailing();
        }
        if (why.getCause() == null) {
            return why.toString(); // the program has ended it
        }
        return why
                + where(why)
                + ". Errors end the job unless the communicator has Errorhandler_set(MPI.ERRORS_RETURN);"
                + " ibidem.mpj.debug=true shows the stack";
    }

    private static String where(MPIException why) {
        return Arrays.stream(why.getStackTrace())
                .filter(frame -> !isOurs(frame.getClassName()))
                .findFirst()
                .map(frame ->
                        " (called at " + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse("");
    }

    private static boolean isOurs(String className) {
        return Stream.of("mpi.", "mpjbuf.", "org.ibidem.", "java.").anyMatch(className::startsWith);
    }
}
