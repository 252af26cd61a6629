package org.ibidem.program;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The `main` of a program, found and called as the `java` command does it (JEP 512: with or
/// without arguments, static or of an instance).
public final class Entry {
    private final Class<?> type;
    private final Method main;

    /// That of a main class.
    ///
    /// @throws NoSuchMethodException when it has none
    public Entry(Class<?> type) throws NoSuchMethodException {
        this.type = type;
        var found = main(type, String[].class);
        found = found != null ? found : main(type);
        if (found == null) {
            throw new NoSuchMethodException(
                    "class " + type.getName() + " has no main method: give it one");
        }
        main = found;
    }

    private static @Nullable Method main(Class<?> type, Class<?>... parameters) {
        for (var in = type; in != null && in != Object.class; in = in.getSuperclass()) {
            try {
                var main = in.getDeclaredMethod("main", parameters);
                if (main.getReturnType() == void.class
                        && !Modifier.isPrivate(main.getModifiers())) {
                    main.setAccessible(true);
                    return main;
                }
            } catch (NoSuchMethodException e) {
                // The class above may have one.
            }
        }
        return null;
    }

    /// Calls it.
    ///
    /// @throws Exception what it throws
    public void call(String[] arguments) throws Exception {
        try {
            Object on = null;
            if (!Modifier.isStatic(main.getModifiers())) {
                var constructor = type.getDeclaredConstructor();
                constructor.setAccessible(true);
                on = constructor.newInstance();
            }
            main.invoke(
                    on, main.getParameterCount() == 0 ? new Object[0] : new Object[] {arguments});
        } catch (InvocationTargetException e) {
            throw Entry.<RuntimeException>unchecked(Objects.requireNonNull(e.getCause()));
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // So that no wrapper hides it.
    private static <X extends Throwable> X unchecked(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
