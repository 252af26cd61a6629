package org.ibidem.serial.generate;

import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.model.Access;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Level;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// All that code for a plain class or a record needs to know of it.
public final class Plan {
    private final Shape shape;
    private final boolean leaf;
    private final boolean hashes;
    private final Description description;
    private final Layout<FieldAccess> layout;
    private final Map<Slot, FieldAccess> accesses = new HashMap<>();
    private final @Nullable Constructor<?> make;
    private final @Nullable MethodHandle construct;
    private final Map<String, Integer> places = new HashMap<>();

    /// Plans for a class that is plain or a record.
    ///
    /// @throws InvalidClassException when it cannot be reached or made
    public Plan(Shape shape) throws InvalidClassException {
        this.shape = shape;
        boolean record = shape.type.isRecord();
        this.leaf = Leaf.is(shape);
        var fields = new ArrayList<FieldAccess>();
        for (var level : shape.levels) {
            reach(level, fields);
        }
        this.layout = Layout.of(fields, field -> field.slot.described().size());
        this.hashes = !leaf && !layout.references().isEmpty() && ownHash(shape.type);
        this.make = shape.constructor();
        this.construct = record ? canonical(shape.type) : null;
        boolean value = leaf && record && shape.resolver == null && shape.replacer == null;
        this.description = shape.description(value ? Description.VALUE : 0);
    }

    private void reach(Level level, List<FieldAccess> fields) throws InvalidClassException {
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

    private static boolean ownHash(Class<?> type) {
        try {
            return type.getMethod("hashCode").getDeclaringClass() != Object.class;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private MethodHandle canonical(Class<?> type) throws InvalidClassException {
        var components = type.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            places.put(components[i].getName(), i);
        }
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new);
        var access = Access.to(type);
        if (access == null) {
            throw new InvalidClassException(type.getName(), Access.missing(type));
        }
        try {
            return access.lookup().findConstructor(type, MethodType.methodType(void.class, types));
        } catch (ReflectiveOperationException e) {
            var problem =
                    new InvalidClassException(
                            type.getName(), "record canonical constructor not found");
            problem.initCause(e);
            throw problem;
        }
    }

    /// The class.
    public Shape shape() {
        return shape;
    }

    /// Whether it holds nothing but primitives, strings and values.
    boolean leaf() {
        return leaf;
    }

    /// Whether hashing it asks what is inside.
    boolean hashes() {
        return hashes;
    }

    /// As it is described.
    public Description description() {
        return description;
    }

    Layout<FieldAccess> layout() {
        return layout;
    }

    Layout<Slot> slots() {
        return new Layout<>(
                layout.primitives().stream().map(field -> field.slot).toList(),
                layout.references().stream().map(field -> field.slot).toList(),
                layout.bytes());
    }

    /// The last reference, if objects of the class itself may follow it in a loop.
    @Nullable Slot tail() {
        if (hashes || shape.type.isRecord() || layout.references().isEmpty()) {
            return null;
        }
        var last = layout.references().getLast().slot;
        return last.type() == shape.type ? last : null;
    }

    Map<Slot, FieldAccess> accesses() {
        return accesses;
    }

    int mode() {
        return description.has(Description.VALUE) ? Codec.VALUE : Codec.SHARED;
    }

    Constructor<?> make() {
        if (make == null) {
            throw new IllegalStateException(shape.type + " is not made by a constructor");
        }
        return make;
    }

    /// The canonical constructor of a record.
    MethodHandle construct() {
        if (construct == null) {
            throw new IllegalStateException(shape.type + " is no record");
        }
        return construct;
    }

    /// The place of a component among the arguments of the constructor.
    int place(FieldAccess field) {
        return places.getOrDefault(field.slot.name(), -1);
    }

    /// Makes a record.
    ///
    /// @param values of all components, in their order
    public Object construct(@Nullable Object[] values) throws InvalidObjectException {
        try {
            return construct().invokeWithArguments(values);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw refused(e);
        }
    }

    /// What a record's constructor throws becomes this, as with the JDK.
    public static InvalidObjectException refused(Throwable e) {
        var problem = new InvalidObjectException(e.getMessage());
        problem.initCause(e);
        return problem;
    }
}
