package org.ibidem.serial.generate;

import java.io.InvalidClassException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.model.Access;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.model.Slot;
import org.jspecify.annotations.Nullable;

/// The ways to the fields of a class and to new objects of it, from outside.
final class Reach {
    final Layout<FieldAccess> layout;
    final Map<Slot, FieldAccess> accesses = new HashMap<>();
    final @Nullable Constructor<?> make;

    /// Whether all fields may be set.
    final boolean sets;

    Reach(Shape shape) throws InvalidClassException {
        var fields = new ArrayList<FieldAccess>();
        for (var level : shape.levels) {
            reach(level, fields);
        }
        this.layout = Layout.of(fields);
        this.make = shape.constructor();
        this.sets = areReachable(shape.levels);
    }

    private static boolean areReachable(List<ClassLevel> levels) {
        for (var level : levels) {
            if (!level.isReachable()) {
                return false;
            }
        }
        return true;
    }

    private void reach(ClassLevel level, List<FieldAccess> fields) throws InvalidClassException {
        var access = level.access;
        for (var slot : level.slots) {
            if (access == null) {
                throw new InvalidClassException(level.type.getName(), Access.missing(level.type));
            }
            var field = FieldAccess.of(slot, access);
            accesses.put(slot, field);
            fields.add(field);
        }
    }
}
