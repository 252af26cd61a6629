package org.ibidem.serial.generate;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.model.Slot;

/// Classes that cannot lead to shared references: all they hold are primitives, strings, boxes,
/// enum constants, and records of such. No table is needed for what is inside, and a record of this
/// kind is a value altogether.
public final class Leaf {
    private static final Set<Class<?>> VALUES =
            Set.of(
                    Boolean.class,
                    Byte.class,
                    Short.class,
                    Character.class,
                    Integer.class,
                    Long.class,
                    Float.class,
                    Double.class,
                    String.class);

    private Leaf() {}

    /// Whether a class with these fields is one.
    public static boolean is(Class<?> type, List<Slot> slots) {
        return holdsValues(type, slots, new HashSet<>());
    }

    /// Whether hashing an object of such a class asks what is inside.
    public static boolean hashes(Class<?> type, List<Slot> slots) {
        return hasReference(slots) && ownHash(type) && !is(type, slots);
    }

    private static boolean hasReference(List<Slot> slots) {
        for (var slot : slots) {
            if (slot.size() == 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean ownHash(Class<?> type) {
        try {
            return type.getMethod("hashCode").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean holdsValues(Class<?> type, List<Slot> slots, Set<Class<?>> seen) {
        seen.add(type);
        for (var slot : slots) {
            if (!isValue(slot.type(), seen)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(Class<?> type, Set<Class<?>> seen) {
        if (type.isPrimitive() || VALUES.contains(type) || type.isEnum()) {
            return true;
        }
        if (!type.isRecord() || seen.contains(type)) {
            return false;
        }
        return java.io.Serializable.class.isAssignableFrom(type)
                && Reflection.Own.REPLACE.in(type) == null
                && Reflection.Own.RESOLVE.in(type) == null
                && holdsValues(type, ClassLevel.declared(type), seen);
    }
}
