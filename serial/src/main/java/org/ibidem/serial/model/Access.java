package org.ibidem.serial.model;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/// How private fields and constructors of a class are reached: because its module opens the package
/// to us (on the class path all are), or because the user handed us a [MethodHandles.Lookup].
public final class Access {
    /// From this release on, setting final fields is warned of or forbidden (JEP 500).
    private static final int FINALS_ARE_FINAL = 26;

    private static final ClassValue<Granted> GRANTED =
            new ClassValue<>() {
                @Override
                protected Granted computeValue(Class<?> type) {
                    return new Granted();
                }
            };

    /// Lookups that users handed over live as long as their classes.
    private static final class Granted {
        private volatile MethodHandles.@Nullable Lookup lookup;
    }

    private final MethodHandles.Lookup lookup;
    private final boolean open;

    private Access(MethodHandles.Lookup lookup, boolean open) {
        this.lookup = lookup;
        this.open = open;
    }

    /// Takes a lookup with private access to its class, which serves that class only.
    ///
    /// @throws IllegalArgumentException when it has no private access
    public static void grant(MethodHandles.Lookup lookup) {
        if ((lookup.lookupModes() & MethodHandles.Lookup.PRIVATE) == 0) {
            throw new IllegalArgumentException(
                    lookup
                            + " has no private access; hand over MethodHandles.lookup() of the class");
        }
        GRANTED.get(lookup.lookupClass()).lookup = lookup;
    }

    /// The way into this class; null: there is none.
    public static @Nullable Access to(Class<?> type) {
        var theirs = type.getModule();
        var ours = Access.class.getModule();
        ours.addReads(theirs);
        if (theirs.isOpen(type.getPackageName(), ours)) {
            try {
                return new Access(
                        MethodHandles.privateLookupIn(type, MethodHandles.lookup()), true);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
        var granted = GRANTED.get(type).lookup;
        return granted == null ? null : new Access(granted, false);
    }

    /// Its handles may be used in our code.
    public MethodHandles.Lookup lookup() {
        return lookup;
    }

    /// Reads the field, and writes it unless it is final.
    public VarHandle handle(Field field) throws IllegalAccessException {
        return lookup.unreflectVarHandle(field);
    }

    /// What is in a static field of type `long`.
    long constant(Field field) {
        try {
            return (long) lookup.unreflectVarHandle(field).get();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Whether all may be set: only reflection sets finals, and only where packages are open to it.
    public boolean sets(Field field) {
        return !Modifier.isFinal(field.getModifiers())
                || (open && finalsMaySet() && !field.getDeclaringClass().isHidden());
    }

    private static boolean finalsMaySet() {
        return Runtime.version().feature() < FINALS_ARE_FINAL;
    }

    /// Writes a final field.
    public MethodHandle finalSetter(Field field) throws IllegalAccessException {
        field.setAccessible(true);
        return lookup.unreflectSetter(field);
    }

    /// The line that is missing in a module declaration, for errors.
    public static String missing(Class<?> type) {
        var ours = Access.class.getModule();
        return "module "
                + type.getModule().getName()
                + " must say: opens "
                + type.getPackageName()
                + " to "
                + (ours.isNamed() ? ours.getName() : "org.ibidem.serial")
                + "; or hand over a MethodHandles.Lookup of it";
    }
}
