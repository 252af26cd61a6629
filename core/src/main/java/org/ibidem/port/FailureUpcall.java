package org.ibidem.port;

/// What a receive port does about a handler that throws; see [ReceiveSetup#failures].
@FunctionalInterface
public interface FailureUpcall {
    /// A [MessageUpcall] has thrown; the rest of its message is skipped, and the port goes on. In
    /// the handler's thread, before the next upcall.
    ///
    /// @param from whose message it was
    /// @param why what was thrown
    void failed(ReceivePort port, Origin from, Throwable why);
}
