package org.ibidem.serial.model;

import java.io.InvalidClassException;
import java.io.ObjectStreamField;
import java.io.OptionalDataException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.HashSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// `sun.reflect.ReflectionFactory`, which the module `jdk.unsupported` offers to serializers: it
/// makes objects without their constructors, and reaches the serialization methods and default
/// fields of any class, open to us or not.
///
/// By name, as the compiler warns of its use where nobody can say that it is meant.
public final class Reflection {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.publicLookup();
    private static final Object FACTORY = factory();

    /// As far as they were used.
    private static final Map<Own, MethodHandle> FINDERS = new ConcurrentHashMap<>();

    /// What serialization knows of a class besides its fields.
    public enum Own {
        /// `writeObject`
        WRITE("writeObject"),
        /// `readObject`
        READ("readObject"),
        /// `readObjectNoData`
        READ_NO_DATA("readObjectNoData"),
        /// Writes all serializable fields to an `ObjectOutputStream`.
        DEFAULT_WRITE("defaultWriteObject"),
        /// Reads all serializable fields from an `ObjectInputStream`.
        DEFAULT_READ("defaultReadObject"),
        /// `writeReplace`
        REPLACE("writeReplace"),
        /// `readResolve`
        RESOLVE("readResolve");

        private final String method;

        Own(String name) {
            method = name;
        }

        /// Its name.
        public String method() {
            return method;
        }

        /// A handle on it; null: the class has none.
        public @Nullable MethodHandle in(Class<?> type) {
            if (!mayBeIn(type)) {
                return null;
            }
            var ready = FINDERS.get(this);
            if (ready == null) {
                var name = method.concat("ForSerialization");
                ready = find(name, MethodHandle.class, Class.class);
                FINDERS.put(this, ready);
            }
            try {
                return (MethodHandle) ready.invokeExact(type);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        /// Whether there is a method of that name at all: most classes have none, and asking the
        /// factory takes a process that has just begun some milliseconds.
        private boolean mayBeIn(Class<?> type) {
            return switch (this) {
                case DEFAULT_WRITE, DEFAULT_READ -> true;
                case WRITE, READ, READ_NO_DATA -> declares(type);
                case REPLACE, RESOLVE -> {
                    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                        if (declares(c)) {
                            yield true;
                        }
                    }
                    yield false;
                }
            };
        }

        private boolean declares(Class<?> type) {
            for (var each : type.getDeclaredMethods()) {
                if (each.getName().equals(method)) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Found when first used, each on its own.
    private static final class Made {
        private static final MethodHandle MAKE =
                find("newConstructorForSerialization", Constructor.class, Class.class);
    }

    /// As [Made].
    private static final class MadeBare {
        private static final MethodHandle MAKE =
                find(
                        "newConstructorForSerialization",
                        Constructor.class,
                        Class.class,
                        Constructor.class);
    }

    /// As [Made].
    private static final class MadeExternal {
        private static final MethodHandle MAKE =
                find("newConstructorForExternalization", Constructor.class, Class.class);
    }

    /// As [Made].
    private static final class Declared {
        private static final MethodHandle FIELDS =
                find("serialPersistentFields", ObjectStreamField[].class, Class.class);
    }

    /// As [Made].
    private static final class Ended {
        private static final MethodHandle DATA =
                find(
                        "newOptionalDataExceptionForSerialization",
                        OptionalDataException.class,
                        boolean.class);
    }

    private Reflection() {}

    private static Object factory() {
        try {
            var type = Class.forName("sun.reflect.ReflectionFactory");
            return LOOKUP.findStatic(type, "getReflectionFactory", MethodType.methodType(type))
                    .invoke();
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            var type = MethodType.methodType(result, parameters);
            return LOOKUP.findVirtual(FACTORY.getClass(), name, type).bindTo(FACTORY);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException known ? known : new IllegalStateException(e);
    }

    /// A constructor that makes an object of a serializable class as the JDK does: the first
    /// superclass that is not serializable is constructed, the rest is left as it is. Null: that
    /// superclass has no constructor for it.
    public static @Nullable Constructor<?> constructor(Class<?> type) {
        try {
            return (Constructor<?>) Made.MAKE.invokeExact(type);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// A constructor that makes an object of any class without calling any but that of `Object`.
    public static Constructor<?> bareConstructor(Class<?> type) throws NoSuchMethodException {
        var first = Object.class.getConstructor();
        try {
            return (Constructor<?>) MadeBare.MAKE.invokeExact(type, (Constructor<?>) first);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// The public constructor without arguments of an [java.io.Externalizable] class; null: it has
    /// none.
    public static @Nullable Constructor<?> externalConstructor(Class<?> type) {
        try {
            return (Constructor<?>) MadeExternal.MAKE.invokeExact(type);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Checks the `serialPersistentFields` of a class.
    static void checkDeclaredFields(Class<?> type) throws InvalidClassException {
        ObjectStreamField[] declared;
        try {
            declared = (ObjectStreamField[]) Declared.FIELDS.invokeExact(type);
        } catch (Throwable e) {
            throw unexpected(e);
        }
        var names = new HashSet<String>();
        for (var field : declared == null ? new ObjectStreamField[0] : declared) {
            if (!names.add(field.getName())) {
                throw new InvalidClassException(
                        type.getName(), "multiple serializable fields named " + field.getName());
            }
        }
    }

    /// The exception of a stream whose custom data ends; its constructor is hidden.
    public static OptionalDataException endOfCustomData() {
        try {
            return (OptionalDataException) Ended.DATA.invokeExact(true);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
