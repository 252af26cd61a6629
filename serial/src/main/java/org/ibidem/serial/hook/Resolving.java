package org.ibidem.serial.hook;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Decoder;
import org.jspecify.annotations.Nullable;

/// The `readResolve` of a class.
final class Resolving {
    private final @Nullable MethodHandle resolver;

    Resolving(Shape shape) {
        var own = shape.resolver;
        this.resolver =
                own == null ? null : own.asType(MethodType.methodType(Object.class, Object.class));
    }

    /// The object that takes the place of the one that was read.
    @SuppressWarnings("ReferenceEquality") // another object, even if equal
    @Nullable Object resolve(Decoder from, Object object, int handle) throws IOException {
        var own = resolver;
        if (own == null) {
            return object;
        }
        long cost = from.cost();
        Object other;
        try {
            other = Calls.exchange(own, object);
        } catch (RuntimeException e) {
            throw from.passing(e, object.getClass());
        }
        if (other != object) {
            if (other != null) {
                var type = other.getClass();
                from.filter(type, type.isArray() ? Array.getLength(other) : -1);
            }
            from.replace(handle, other);
        }
        from.cost(cost);
        return other;
    }
}
