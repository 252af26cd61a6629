package org.ibidem.serial;

import java.lang.invoke.MethodHandles;
import org.ibidem.serial.codec.Codecs;
import org.ibidem.serial.wire.Codec;

/// For code that `ibidem rewrite` has added to classes; programs have no use for it.
public final class Rewritten {
    private Rewritten() {}

    /// Called by the JVM when such code first needs the codec of another class: it is a constant
    /// from then on.
    public static Codec codec(
            MethodHandles.Lookup lookup, String name, Class<?> constant, Class<?> type) {
        return Codecs.STANDARD.known(type);
    }
}
