package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Array;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// The fields of one level as they came, by name: of a class that has changed, or whose own method
/// asks for them.
final class Values extends ObjectInputStream.GetField {
    private final @Nullable ClassLevel local;
    private final Map<String, Slot> slots = new HashMap<>();
    private final Map<String, @Nullable Object> values = new HashMap<>();

    /// References for which there is no field here.
    private final Map<String, @Nullable Object> unwanted = new HashMap<>();

    /// The kinds of all fields that came, whether there are such here or not.
    private final Map<String, Character> kinds = new HashMap<>();

    private boolean primitives;
    private long cost = 1;

    /// @param local the level they are for; null: they are thrown away
    Values(@Nullable ClassLevel local) {
        this.local = local;
        if (local != null) {
            local.slots.forEach(slot -> slots.put(slot.name(), slot));
        }
    }

    /// Reads the fields of one level.
    ///
    /// @return what it costs to hash the references
    long read(List<Description.Field> fields, Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        var layout = Layout.of(fields);
        from.count(layout.references().size());
        for (var field : layout.primitives()) {
            primitive(field, from);
        }
        for (var field : layout.references()) {
            from.cost(0);
            reference(field, from, from.tag(), depth);
        }
        return cost;
    }

    /// What it costs to hash the references that came.
    long cost() {
        return cost;
    }

    /// Reads one primitive field.
    void primitive(Description.Field field, Decoder from) throws IOException {
        primitives = true;
        match(field);
        values.put(field.name(), FieldAccess.read(field.type(), from));
    }

    /// Reads fields that are references, each of which is wanted, whether there is a field or not.
    long readAll(List<Description.Field> fields, Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        from.count(fields.size());
        for (var field : Layout.of(fields).references()) {
            from.cost(0);
            kinds.put(field.name(), field.type());
            unwanted.put(field.name(), from.read(from.tag(), depth));
            from.work(Decoder.sum(from.cost(), 1)); // as in custom data
            cost = Decoder.sum(cost, from.cost());
        }
        return cost;
    }

    /// Reads one reference, of which the tag was read.
    void reference(Description.Field field, Decoder from, int tag, int depth)
            throws IOException, ClassNotFoundException {
        var slot = match(field);
        if (slot == null) {
            unwanted.put(field.name(), from.discard(tag, depth));
        } else if (slot.unshared()) {
            values.put(field.name(), from.readUnshared(tag, depth));
        } else {
            values.put(field.name(), from.read(tag, depth));
        }
        cost = Decoder.sum(cost, from.cost());
    }

    /// Takes a reference that was read.
    void put(Description.Field field, @Nullable Object value) throws InvalidClassException {
        (match(field) == null ? unwanted : values).put(field.name(), value);
    }

    /// Whether no primitive came.
    boolean isOfReferences() {
        return !primitives;
    }

    /// All references that came, in the order in which the JDK writes them.
    Iterator<@Nullable Object> byName() {
        var all = new TreeMap<String, @Nullable Object>(values);
        all.putAll(unwanted);
        return all.values().iterator();
    }

    /// Fields in the order in which the JDK writes those of one kind.
    static List<Description.Field> byName(List<Description.Field> fields) {
        return fields.stream().sorted(Comparator.comparing(Description.Field::name)).toList();
    }

    private @Nullable Slot match(Description.Field field) throws InvalidClassException {
        var slot = slots.get(field.name());
        if (slot != null && slot.code() != field.type() && local != null) {
            throw new InvalidClassException(
                    local.type.getName(), "incompatible types for field " + field.name());
        }
        kinds.put(field.name(), field.type());
        return slot;
    }

    /// Puts all that came into an object.
    void set(Object object, Map<Slot, FieldAccess> accesses) {
        for (var slot : slots.values()) {
            var way = accesses.get(slot);
            if (way != null && values.containsKey(slot.name())) {
                var value = values.get(slot.name());
                if (value != null || !slot.type().isPrimitive()) {
                    check(slot, value, object);
                    way.set(object, value);
                }
            }
        }
    }

    private static void check(Slot slot, @Nullable Object value, Object object) {
        if (value != null && !slot.type().isPrimitive() && !slot.type().isInstance(value)) {
            throw new ClassCastException(
                    "cannot assign instance of "
                            + value.getClass().getName()
                            + " to field "
                            + (slot.field() == null
                                    ? slot.name()
                                    : slot.field().getDeclaringClass().getName()
                                            + "."
                                            + slot.name())
                            + " of type "
                            + slot.type().getName()
                            + " in instance of "
                            + object.getClass().getName());
        }
    }

    @Override
    public ObjectStreamClass getObjectStreamClass() {
        var known = local == null ? null : ObjectStreamClass.lookupAny(local.type);
        if (known == null) {
            throw new IllegalStateException("these fields belong to no class");
        }
        return known;
    }

    @Override
    public boolean defaulted(String name) {
        kind(name);
        return !kinds.containsKey(name);
    }

    /// What is asked for may have come for a field that is no longer here, as with the JDK.
    private char kind(String name) {
        var came = kinds.get(name);
        if (came != null) {
            return came;
        }
        var slot = slots.get(name);
        if (slot == null) {
            throw new IllegalArgumentException("no such field " + name);
        }
        return slot.code();
    }

    private <T> T value(String name, char code, T otherwise) {
        if (kind(name) != code) {
            throw new IllegalArgumentException("no such field " + name + " with type " + code);
        }
        @SuppressWarnings("unchecked") // the code says it
        var value = (T) values.get(name);
        return value == null ? otherwise : value;
    }

    @Override
    public boolean get(String name, boolean otherwise) {
        return value(name, 'Z', otherwise);
    }

    @Override
    public byte get(String name, byte otherwise) {
        return value(name, 'B', otherwise);
    }

    @Override
    public char get(String name, char otherwise) {
        return value(name, 'C', otherwise);
    }

    @Override
    public short get(String name, short otherwise) {
        return value(name, 'S', otherwise);
    }

    @Override
    public int get(String name, int otherwise) {
        return value(name, 'I', otherwise);
    }

    @Override
    public long get(String name, long otherwise) {
        return value(name, 'J', otherwise);
    }

    @Override
    public float get(String name, float otherwise) {
        return value(name, 'F', otherwise);
    }

    @Override
    public double get(String name, double otherwise) {
        return value(name, 'D', otherwise);
    }

    @Override
    public @Nullable Object get(String name, @Nullable Object otherwise) {
        if (Description.size(kind(name)) > 0) {
            throw new IllegalArgumentException("no such field " + name + " with type L");
        }
        return values.containsKey(name) ? values.get(name) : unwanted.getOrDefault(name, otherwise);
    }

    /// The value of a record's component.
    @Nullable Object component(String name, Class<?> type) {
        var value = values.get(name);
        return value == null && type.isPrimitive()
                ? Array.get(Array.newInstance(type, 1), 0)
                : value;
    }
}
