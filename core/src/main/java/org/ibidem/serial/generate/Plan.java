package org.ibidem.serial.generate;

import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.serial.model.Access;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
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
    private final Layout<Slot> slots;
    private final @Nullable MethodHandle construct;
    private final Map<String, Integer> places = new HashMap<>();
    private volatile @Nullable Reach reach;

    /// Plans for a class that is plain or a record.
    ///
    /// @throws InvalidClassException when it cannot be reached or made
    public Plan(Shape shape) throws InvalidClassException {
        this(shape, new Reach(shape));
    }

    private Plan(Shape shape, @Nullable Reach reach) throws InvalidClassException {
        this.shape = shape;
        this.reach = reach;
        boolean record = shape.type.isRecord();
        var fields = shape.levels.stream().flatMap(level -> level.slots.stream()).toList();
        this.leaf = Leaf.is(shape.type, fields);
        this.slots = Layout.of(fields, Slot::size);
        this.hashes = Leaf.hashes(shape.type, fields);
        this.construct = record ? canonical(shape.type) : null;
        boolean value = leaf && record && shape.resolver == null && shape.replacer == null;
        this.description = shape.description(value ? Description.VALUE : 0);
    }

    /// Plans for a class that has code of its own, and need not be reached from outside.
    public static Plan inside(Shape shape) throws InvalidClassException {
        return new Plan(shape, null);
    }

    private Reach reach() throws InvalidClassException {
        var known = reach;
        if (known == null) {
            known = new Reach(shape);
            reach = known;
        }
        return known;
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

    /// The ways to the fields.
    Layout<FieldAccess> layout() throws InvalidClassException {
        return reach().layout;
    }

    Map<Slot, FieldAccess> accesses() throws InvalidClassException {
        return reach().accesses;
    }

    /// Whether all fields may be set from outside.
    boolean sets() throws InvalidClassException {
        return reach().sets;
    }

    Layout<Slot> slots() {
        return slots;
    }

    /// The last reference, if objects of the class itself may follow it in a loop.
    @Nullable Slot tail() {
        if (hashes || shape.type.isRecord() || slots.references().isEmpty()) {
            return null;
        }
        var last = slots.references().getLast();
        return last.type() == shape.type ? last : null;
    }

    int mode() {
        return description.has(Description.VALUE) ? Codec.VALUE : Codec.SHARED;
    }

    Constructor<?> make() throws InvalidClassException {
        var make = reach().make;
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
