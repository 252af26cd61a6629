package org.ibidem.serial.model;

import java.lang.reflect.Field;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// One serializable field of a class.
///
/// @param name its name in the stream
/// @param type its declared type
/// @param unshared whether it holds an object that nothing else may name
/// @param field the field itself; null where `serialPersistentFields` names what is none
public record Slot(String name, Class<?> type, boolean unshared, @Nullable Field field)
        implements Description.Sized {
    /// As it is described.
    public Description.Field described() {
        return new Description.Field(code(), name);
    }

    @Override
    public int size() {
        return Description.size(code());
    }

    /// The descriptor's first character; `L` for every reference.
    public char code() {
        return type.isPrimitive() ? type.descriptorString().charAt(0) : 'L';
    }

    /// There is one for each field. (What the compiler makes for records would take a process that
    /// has just begun some milliseconds to link.)
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
