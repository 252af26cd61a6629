package org.ibidem.serial.generate;

import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
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
    private final int index = Codec.nextIndex();
    private final @Nullable RecordMaker maker;
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
        var fields = new ArrayList<Slot>();
        for (var level : shape.levels) {
            fields.addAll(level.slots);
        }
        this.leaf = Leaf.is(shape.type, fields);
        this.slots = Layout.of(fields);
        this.hashes = Leaf.hashes(shape.type, fields);
        this.maker = record ? canonical(shape.type) : null;
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

    private RecordMaker canonical(Class<?> type) throws InvalidClassException {
        var components = type.getRecordComponents();
        var types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            places.put(components[i].getName(), i);
            types[i] = components[i].getType();
        }
        return new RecordMaker(type, types);
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

    /// The number of its codecs: that which comes last takes the first one's.
    int index() {
        return index;
    }

    /// The canonical constructor of a record.
    MethodHandle construct() {
        return maker().handle();
    }

    private RecordMaker maker() {
        if (maker == null) {
            throw new IllegalStateException(shape.type + " is no record");
        }
        return maker;
    }

    /// The place of a component among the arguments of the constructor.
    int place(FieldAccess field) {
        return places.getOrDefault(field.slot.name(), -1);
    }

    /// Makes a record.
    ///
    /// @param values of all components, in their order
    public Object construct(@Nullable Object[] values) throws InvalidObjectException {
        return maker().make(values);
    }

    /// What a record's constructor throws becomes this, as with the JDK.
    public static InvalidObjectException refused(Throwable e) {
        var problem = new InvalidObjectException(e.getMessage());
        problem.initCause(e);
        return problem;
    }
}
