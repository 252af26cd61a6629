package org.ibidem.serial;

import org.ibidem.serial.codec.Codecs;

/// The serializer `extended`: as `object`, and classes that are not serializable as if they were.
public final class ExtendedSerializer extends GeneratedSerializer {
    /// Found by its `provides` line.
    public ExtendedSerializer() {
        super("extended", Codecs.EXTENDED);
    }
}
