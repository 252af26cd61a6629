package org.ibidem.serial.generate;

import java.util.HashSet;
import java.util.Set;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.model.Slot;

/// Classes that cannot lead to shared references: all they hold are primitives, strings, boxes,
/// enum constants, and records of such. No table is needed for what is inside, and a record of this
/// kind is a value altogether.
final class Leaf {
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

    /// Whether this class is one.
    static boolean is(Shape shape) {
        return holdsValues(shape, new HashSet<>());
    }

    private static boolean holdsValues(Shape shape, Set<Class<?>> seen) {
        seen.add(shape.type);
        return shape.levels.stream()
                .flatMap(level -> level.slots.stream())
                .map(Slot::type)
                .allMatch(type -> isValue(type, seen));
    }

    private static boolean isValue(Class<?> type, Set<Class<?>> seen) {
        if (type.isPrimitive() || VALUES.contains(type) || type.isEnum()) {
            return true;
        }
        if (!type.isRecord() || seen.contains(type)) {
            return false;
        }
        try {
            return java.io.Serializable.class.isAssignableFrom(type)
                    && Reflection.Own.REPLACE.in(type) == null
                    && Reflection.Own.RESOLVE.in(type) == null
                    && holdsValues(Shape.of(type), seen);
        } catch (java.io.InvalidClassException _) {
            return false;
        }
    }
}
