package mpi;

/// How a process ends its whole job.
interface Ending {
    /// Ends it.
    ///
    /// @param code what the process exits with
    /// @param why for people, with where
    void end(int code, MPIException why);

    /// Says why and exits: whoever started the job ends its other processes.
    static Ending ofProcess() {
        return (code, why) -> {
            why.printStackTrace();
            System.exit((code & 0xff) == 0 ? 1 : code & 0xff);
        };
    }
}
