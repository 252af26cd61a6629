package org.ibidem.serial.generate;

import java.lang.invoke.MethodHandles;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.CodecSource;

/// The class data of a generated class: what its constants are.
///
/// @param codecs where the codecs of other classes come from
/// @param values handles, classes, and [CodecOf] for codecs, which are made when first used:
///   classes may refer to each other in circles
public record Constants(CodecSource codecs, Object[] values) {
    /// Stands for the codec of a class.
    record CodecOf(Class<?> type) {}

    /// Called by the JVM when generated code first uses a constant.
    public static Object constant(
            MethodHandles.Lookup lookup, String name, Class<?> type, int place)
            throws IllegalAccessException {
        var mine = MethodHandles.classData(lookup, "_", Constants.class);
        var value = mine.values[place];
        return value instanceof CodecOf other ? codec(mine.codecs, other.type) : value;
    }

    private static Codec codec(CodecSource codecs, Class<?> type) {
        return codecs.known(type);
    }
}
