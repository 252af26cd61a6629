package org.ibidem.rmi.frame;

import org.ibidem.serial.wire.RemoteObjects;
import org.jspecify.annotations.Nullable;

/// Has references travel in the place of remote objects, in remote calls.
public final class StandIns implements RemoteObjects {
    static final ThreadLocal<@Nullable Exchange> CURRENT = new ThreadLocal<>();

    /// Found by its `provides` line.
    public StandIns() {}

    @Override
    public Object standIn(Object object) throws java.io.ObjectStreamException {
        var exchange = CURRENT.get();
        return exchange == null ? object : exchange.standIn(object);
    }
}
