package org.ibidem.mpj.device;

import org.jspecify.annotations.Nullable;

/// An operation that was begun.
public interface Request {
    /// Waits until it is complete.
    ///
    /// @return of a receive what was received; of a send what was sent
    /// @throws DeviceFailed when it failed, each time it is asked
    /// @throws DeviceInterrupted when the thread is interrupted; the request goes on
    Envelope await();

    /// As [#await] when it is complete, else null.
    @Nullable Envelope test();

    /// Whether it is complete, or has failed.
    boolean isDone();

    /// Gives it up, if no message has met it yet: either that or the message wins, never both. A
    /// request that was cancelled is complete, and its [Envelope#cancelled] says so. Of a message
    /// whose header has left only its receiver knows which it was: it is asked, and the request is
    /// complete when it has answered.
    ///
    /// @return whether it is cancelled now
    boolean cancel();

    /// Whether it comes to its end whatever the other side calls: it is complete, its message has
    /// met its receive, or its receiver was asked to give it back.
    boolean isEnding();
}
