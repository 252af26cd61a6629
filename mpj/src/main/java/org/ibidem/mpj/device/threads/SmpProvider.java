package org.ibidem.mpj.device.threads;

import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceProvider;

/// The device of a program that is one process, alone.
public final class SmpProvider implements DeviceProvider {
    /// Found by its `provides` line.
    public SmpProvider() {}

    @Override
    public String name() {
        return "smpdev";
    }

    @Override
    public Device open() {
        return new Threads(1).device(0);
    }
}
