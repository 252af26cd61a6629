package org.ibidem.mpj.device;

/// The thread was interrupted while it waited. Its interrupt status is still set, and what it
/// waited for goes on: it can be waited for again.
public final class DeviceInterrupted extends DeviceFailed {
    private static final long serialVersionUID = 1L;

    /// @param cause what it came from
    public DeviceInterrupted(Throwable cause) {
        super("the thread was interrupted while it waited", cause);
    }

    /// Of a call as a whole, which has nothing left to wait for.
    DeviceInterrupted(DeviceInterrupted cause) {
        super(cause.getMessage() + ": what the call had begun was taken back", cause);
    }
}
