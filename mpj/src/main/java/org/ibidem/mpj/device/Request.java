package org.ibidem.mpj.device;

import org.jspecify.annotations.Nullable;

/// An operation that was begun.
public interface Request {
    /// Waits until it is complete.
    ///
    /// @return of a receive what was received; of a send what was sent
    /// @throws DeviceFailed when it failed, each time it is asked
    Envelope await();

    /// As [#await] when it is complete, else null.
    @Nullable Envelope test();

    /// Whether it is complete, or has failed.
    boolean isDone();

    /// Gives it up, if no message has met it yet: either that or the message wins, never both. A
    /// request that was cancelled is complete, and its [Envelope#cancelled] says so.
    ///
    /// @return whether it is cancelled
    boolean cancel();
}
