package org.ibidem.mpj.device;

/// Makes devices: a service (`provides … with …`).
public interface DeviceProvider {
    /// What it is chosen by, such as `circuit`.
    String name();

    /// The device of this process, of a job of several; each of them opens its own, at about the
    /// same time.
    Device open();
}
