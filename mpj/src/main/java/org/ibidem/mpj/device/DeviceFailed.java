package org.ibidem.mpj.device;

import org.ibidem.IbidemException;

/// An operation failed: its process is gone, or what came could not be received.
public sealed class DeviceFailed extends IbidemException permits DeviceInterrupted {
    private static final long serialVersionUID = 1L;

    /// @param message the exact reason
    public DeviceFailed(String message) {
        super(message);
    }

    /// A message has come, and where it was to go to did not take it.
    public static DeviceFailed untaken(Throwable cause) {
        boolean said = cause instanceof IbidemException;
        return new DeviceFailed(
                "the message cannot be received: " + (said ? cause.getMessage() : cause), cause);
    }

    /// A message cannot be read where it lies.
    public static DeviceFailed unsent(Throwable cause) {
        return new DeviceFailed("the message cannot be sent: " + cause, cause);
    }

    /// @param message the exact reason
    /// @param cause what it came from
    public DeviceFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
