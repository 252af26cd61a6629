package org.ibidem.serial.wire;

import java.io.IOException;

/// Says what is written in the place of an object whose class implements `java.rmi.Remote`. Found
/// by its `provides` line; the module `models` has the one there is.
public interface RemoteObjects {
    /// What stands for the object in the message that this thread writes; the object itself: it
    /// travels as others do, if its class lets it.
    ///
    /// @throws IOException when nothing can
    Object standIn(Object object) throws IOException;
}
