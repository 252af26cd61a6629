package org.ibidem.serial.model;

import java.io.Externalizable;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// One class of a hierarchy of which objects are made: its fields and its own methods.
public final class ClassLevel {
    /// The class.
    public final Class<?> type;

    /// Its serialVersionUID.
    public final long version;

    /// Its serializable fields: primitives first, each kind by name.
    public final List<Slot> slots;

    /// Its `writeObject`.
    public final @Nullable MethodHandle writer;

    /// Its `readObject`.
    public final @Nullable MethodHandle reader;

    /// Its `readObjectNoData`.
    public final @Nullable MethodHandle noDataReader;

    /// The way to its fields.
    public final @Nullable Access access;

    private ClassLevel(Class<?> type, long version, List<Slot> slots, @Nullable Access access) {
        this.type = type;
        this.version = version;
        this.slots = slots;
        this.access = access;
        boolean own = java.io.Serializable.class.isAssignableFrom(type) && !type.isRecord();
        this.writer = own ? Reflection.Own.WRITE.in(type) : null;
        this.reader = own ? Reflection.Own.READ.in(type) : null;
        this.noDataReader = own ? Reflection.Own.READ_NO_DATA.in(type) : null;
    }

    /// A serializable class, as the JDK sees it.
    static ClassLevel of(Class<?> type) throws InvalidClassException {
        var access = Access.to(type);
        var version = access == null ? null : saidVersion(type, access);
        if (version != null) {
            return new ClassLevel(type, version, declared(type), access);
        }
        var stream = ObjectStreamClass.lookup(type);
        if (stream == null) {
            throw new InvalidClassException(type.getName(), "not serializable");
        }
        Reflection.checkDeclaredFields(type);
        var slots = new ArrayList<Slot>();
        for (var field : stream.getFields()) {
            slots.add(slot(type, field));
        }
        slots.sort(order(type));
        return new ClassLevel(type, stream.getSerialVersionUID(), List.copyOf(slots), access);
    }

    /// The version that a class says itself, where nothing else is to be asked of the JDK: that
    /// takes a process that has just begun ten milliseconds. Null: the JDK has to be asked.
    private static @Nullable Long saidVersion(Class<?> type, Access access) {
        Long said = type.isRecord() ? 0L : null;
        for (var field : type.getDeclaredFields()) {
            if (field.getName().equals("serialPersistentFields")) {
                return null;
            }
            if (field.getName().equals("serialVersionUID")) {
                int last = Modifier.STATIC | Modifier.FINAL;
                if ((field.getModifiers() & last) != last || field.getType() != long.class) {
                    return null;
                }
                said = access.constant(field);
            }
        }
        return Externalizable.class.isAssignableFrom(type) ? null : said;
    }

    /// Primitives, then references, each by name as with the JDK; but references of the class
    /// itself last, where they can be followed in a loop.
    private static Comparator<Slot> order(Class<?> type) {
        return new Comparator<>() { // composed ones take a process that has just begun some time
            @Override
            public int compare(Slot one, Slot other) {
                int kinds = Integer.compare(kind(one), kind(other));
                return kinds != 0 ? kinds : one.name().compareTo(other.name());
            }

            private int kind(Slot slot) {
                return slot.type().isPrimitive() ? 0 : slot.type() == type ? 2 : 1;
            }
        };
    }

    private static Slot slot(Class<?> type, ObjectStreamField stream) {
        return new Slot(
                stream.getName(), stream.getType(), stream.isUnshared(), field(type, stream));
    }

    private static @Nullable Field field(Class<?> type, ObjectStreamField stream) {
        try {
            var field = type.getDeclaredField(stream.getName());
            boolean same =
                    field.getType() == stream.getType() && !Modifier.isStatic(field.getModifiers());
            return same ? field : null;
        } catch (NoSuchFieldException _) {
            return null;
        }
    }

    /// A class that is not serializable, as if it were.
    static ClassLevel extended(Class<?> type) {
        return new ClassLevel(type, 0, declared(type), Access.to(type));
    }

    /// All fields of a class but static and transient ones: what travels unless it says otherwise.
    /// The class is not initialized.
    public static List<Slot> declared(Class<?> type) {
        var slots = new ArrayList<Slot>();
        for (var field : type.getDeclaredFields()) {
            if ((field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
                slots.add(new Slot(field.getName(), field.getType(), false, field));
            }
        }
        slots.sort(order(type));
        return List.copyOf(slots);
    }

    /// As it is described.
    public Description.Level described() {
        var fields = new ArrayList<Description.Field>();
        for (var slot : slots) {
            fields.add(slot.described());
        }
        int flags = writer == null ? 0 : Description.CUSTOM;
        return new Description.Level(type.getName(), version, flags, List.copyOf(fields));
    }

    /// Whether generated code can read and write all its fields.
    public boolean isReachable() {
        var way = access;
        for (var slot : slots) {
            var field = slot.field();
            if (way == null || field == null || !way.sets(field)) {
                return false;
            }
        }
        return true;
    }

    /// Whether it has methods that serialization calls.
    public boolean isCustom() {
        return writer != null || reader != null;
    }

    /// Whether every slot is a field.
    public boolean isBound() {
        return slots.stream().allMatch(slot -> slot.field() != null);
    }

    @Override
    public String toString() {
        return type.getName() + Arrays.toString(slots.toArray());
    }
}
