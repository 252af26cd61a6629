package org.ibidem.serial.generate;

import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.Function;
import org.ibidem.serial.model.Access;
import org.jspecify.annotations.Nullable;

/// Makes records by their canonical constructor.
final class RecordMaker {
    private final Class<?> type;
    private final Class<?>[] components;
    private final Access access;
    private volatile @Nullable MethodHandle handle;
    private volatile @Nullable Function<@Nullable Object[], Object> way;

    /// @param components their types, in the order of the record
    /// @throws InvalidClassException when it cannot be reached, or has no such constructor
    RecordMaker(Class<?> type, Class<?>[] components) throws InvalidClassException {
        this.type = type;
        this.components = components;
        var found = Access.to(type);
        if (found == null) {
            throw new InvalidClassException(type.getName(), Access.missing(type));
        }
        access = found;
        try {
            var _ = type.getDeclaredConstructor(components);
        } catch (NoSuchMethodException e) {
            var problem =
                    new InvalidClassException(
                            type.getName(), "record canonical constructor not found");
            problem.initCause(e);
            throw problem;
        }
    }

    /// The constructor.
    MethodHandle handle() {
        var known = handle;
        if (known == null) {
            try {
                var shape = MethodType.methodType(void.class, components);
                known = access.lookup().findConstructor(type, shape);
                handle = known;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("the constructor was there before", e);
            }
        }
        return known;
    }

    /// Makes one.
    ///
    /// @param values of all components, in their order
    Object make(@Nullable Object[] values) throws InvalidObjectException {
        var made = way;
        if (made == null) {
            made = way();
            way = made;
        }
        try {
            return made.apply(values);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw Plan.refused(e);
        }
    }

    /// A class inside theirs is made ten times faster than what the JDK makes to spread an array
    /// over arguments; but only where both are in one module may it be put there.
    private Function<@Nullable Object[], Object> way() {
        var lookup = access.lookup();
        if (lookup.hasFullPrivilegeAccess() && !type.isHidden()) {
            var inside = inside(lookup);
            if (inside != null) {
                return inside;
            }
        }
        var spread =
                handle().asSpreader(Object[].class, components.length)
                        .asType(MethodType.methodType(Object.class, Object[].class));
        return values -> call(spread, values);
    }

    @SuppressWarnings("unchecked")
    private @Nullable Function<@Nullable Object[], Object> inside(MethodHandles.Lookup lookup) {
        try {
            var bytes = new RecordMakerCode(type, components).bytes();
            var made =
                    lookup.defineHiddenClass(
                            bytes, false, MethodHandles.Lookup.ClassOption.NESTMATE);
            var constructor =
                    made.findConstructor(made.lookupClass(), MethodType.methodType(void.class));
            return (Function<@Nullable Object[], Object>) (Object) constructor.invoke();
        } catch (Throwable _) {
            return null; // the other way will do, or say what is wrong
        }
    }

    private static Object call(MethodHandle spread, @Nullable Object[] values) {
        try {
            return (Object) spread.invokeExact(values);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /// What the constructor throws is thrown on, whatever it is.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException thrown(Throwable e) throws E {
        throw (E) e;
    }
}
