package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import org.ibidem.serial.hook.HookOutput;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Asks for a serializable field of a JDK class that no public method tells.
final class Peek {
    private final MethodHandle writer;

    private Peek(MethodHandle writer) {
        this.writer = writer;
    }

    /// The way into a class; null: the JDK shows none.
    static @Nullable Peek into(Class<?> type) {
        var lent = Reflection.Own.DEFAULT_WRITE.in(type);
        return lent == null
                ? null
                : new Peek(
                        lent.asType(
                                MethodType.methodType(
                                        void.class, Object.class, ObjectOutputStream.class)));
    }

    /// The value of a field.
    @Nullable Object field(Encoder to, Object object, String name) throws IOException {
        return HookOutput.peek(to, object, name, writer);
    }
}
