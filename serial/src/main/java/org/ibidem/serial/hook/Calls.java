package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/// Calls of a class's own methods, with the exceptions that the JDK lets through.
final class Calls {
    private Calls() {}

    static void write(MethodHandle method, Object object, ObjectOutputStream to)
            throws IOException {
        try {
            method.invokeExact(object, to);
        } catch (Throwable e) {
            throw known(e);
        }
    }

    static void read(MethodHandle method, Object object, ObjectInputStream from)
            throws IOException, ClassNotFoundException {
        try {
            method.invokeExact(object, from);
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (Throwable e) {
            throw known(e);
        }
    }

    static void call(MethodHandle method, Object object)
            throws IOException, ClassNotFoundException {
        try {
            method.invokeExact(object);
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (Throwable e) {
            throw known(e);
        }
    }

    /// `writeReplace` and `readResolve`.
    static @Nullable Object exchange(MethodHandle method, Object object)
            throws ObjectStreamException {
        try {
            return (Object) method.invokeExact(object);
        } catch (ObjectStreamException e) {
            throw e;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    static Object make(Constructor<?> constructor) throws InvalidClassException {
        Throwable why;
        try {
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            why = e.getCause() == null ? e : e.getCause();
        } catch (ReflectiveOperationException e) {
            why = e;
        }
        if (why instanceof Error error) {
            throw error;
        }
        var problem =
                new InvalidClassException(
                        constructor.getDeclaringClass().getName(), "unable to create instance");
        problem.initCause(why);
        throw problem;
    }

    /// As an exception that the JDK lets through.
    static IOException known(Throwable e) {
        if (e instanceof IOException expected) {
            return expected;
        }
        throw unexpected(e);
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known
                ? known
                : new IllegalStateException("a serialization method threw what it may not", e);
    }
}
