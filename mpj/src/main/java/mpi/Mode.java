package mpi;

/// The modes of sends.
enum Mode {
    /// Complete when the message may be changed.
    STANDARD,
    /// Complete at once: it is copied to the attached buffer.
    BUFFERED,
    /// Complete when its receive has begun.
    SYNCHRONOUS,
    /// The receive is posted already; as [#STANDARD].
    READY
}
