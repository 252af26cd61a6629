package org.ibidem.lab.bench;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Copies of classes, which the JVM compiles apart: each for what it is used for.
public final class Copies {
    private Copies() {}

    /// An end like this one, of a copy of its class: made by the constructor that has as many
    /// parameters, from these.
    ///
    /// @param whose may look into the class
    public static End of(MethodHandles.Lookup whose, End like, @Nullable Object... parts) {
        return (End) of(whose, like.getClass(), parts);
    }

    /// An object of a copy of this class.
    static Object of(MethodHandles.Lookup whose, Class<?> like, @Nullable Object... parts) {
        try {
            var copy =
                    MethodHandles.privateLookupIn(like, whose)
                            .defineHiddenClass(code(like), true, ClassOption.NESTMATE);
            var constructor =
                    Stream.of(copy.lookupClass().getDeclaredConstructors())
                            .filter(c -> c.getParameterCount() == parts.length)
                            .findAny()
                            .orElseThrow();
            return copy.unreflectConstructor(constructor).invokeWithArguments(parts);
        } catch (Throwable e) {
            throw new IllegalStateException(like + " could not be copied", e);
        }
    }

    private static byte[] code(Class<?> of) throws IOException {
        var name = of.getName();
        var file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (var in = of.getResourceAsStream(file)) {
            if (in == null) {
                throw new IOException(file + " is not where its class is from");
            }
            return in.readAllBytes();
        }
    }
}
