package org.ibidem.serial;

import org.ibidem.serial.wire.Sink;
import org.ibidem.serial.wire.Source;

/// Turns object graphs into bytes and back, over one connection at a time. Found by its `provides`
/// line; stateless.
public interface Serializer {
    /// Its name in port types.
    String name();

    /// The writing end of one connection.
    ObjectOut out(Sink sink);

    /// The reading end of one connection.
    ObjectIn in(Source source, ObjectPolicy policy);
}
