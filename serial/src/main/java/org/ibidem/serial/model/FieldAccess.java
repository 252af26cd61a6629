package org.ibidem.serial.model;

import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Modifier;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// A field of an object, read and written without generated code.
public final class FieldAccess implements Description.Sized {
    /// The field.
    public final Slot slot;

    /// Gets it, and sets it unless it is final.
    public final VarHandle handle;

    /// Sets a final field; null: it is not final, or belongs to a record, or cannot be set.
    public final @Nullable MethodHandle setter;

    private FieldAccess(Slot slot, VarHandle handle, @Nullable MethodHandle setter) {
        this.slot = slot;
        this.handle = handle;
        this.setter = setter;
    }

    @Override
    public int size() {
        return slot.size();
    }

    /// The way to a field through its class's.
    public static FieldAccess of(Slot slot, Access access) throws InvalidClassException {
        var field = slot.field();
        if (field == null) {
            throw new InvalidClassException("no field " + slot.name());
        }
        try {
            boolean last =
                    Modifier.isFinal(field.getModifiers())
                            && !field.getDeclaringClass().isRecord()
                            && access.sets(field);
            return new FieldAccess(
                    slot, access.handle(field), last ? access.finalSetter(field) : null);
        } catch (IllegalAccessException e) {
            var problem =
                    new InvalidClassException(field.getDeclaringClass().getName(), "no access");
            problem.initCause(e);
            throw problem;
        }
    }

    /// The reference it holds.
    public @Nullable Object get(Object object) {
        return handle.get(object);
    }

    /// Puts a reference, or a boxed primitive, into it.
    ///
    /// @throws ClassCastException when the field cannot hold it
    public void set(Object object, @Nullable Object value) {
        var last = setter;
        if (last == null) {
            handle.set(object, value);
            return;
        }
        try {
            last.invoke(object, value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes the primitive it holds.
    public void write(Encoder to, Object object) throws IOException {
        switch (slot.code()) {
            case 'Z' -> to.putByte((boolean) handle.get(object) ? 1 : 0);
            case 'B' -> to.putByte((byte) handle.get(object));
            case 'S' -> to.putShort((short) handle.get(object));
            case 'C' -> to.putShort((char) handle.get(object));
            case 'I' -> to.putInt((int) handle.get(object));
            case 'F' -> to.putInt(Float.floatToRawIntBits((float) handle.get(object)));
            case 'J' -> to.putLong((long) handle.get(object));
            default -> to.putLong(Double.doubleToRawLongBits((double) handle.get(object)));
        }
    }

    /// Reads the primitive it is to hold.
    public void read(Object object, Decoder from) throws IOException {
        if (setter != null) {
            set(object, read(slot.code(), from));
            return;
        }
        // Each with its own type: what adapts handles takes a process that has just begun long.
        switch (slot.code()) {
            case 'Z' -> handle.set(object, from.getByte() != 0);
            case 'B' -> handle.set(object, from.getByte());
            case 'S' -> handle.set(object, from.getShort());
            case 'C' -> handle.set(object, (char) from.getShort());
            case 'I' -> handle.set(object, from.getInt());
            case 'F' -> handle.set(object, Float.intBitsToFloat(from.getInt()));
            case 'J' -> handle.set(object, from.getLong());
            default -> handle.set(object, Double.longBitsToDouble(from.getLong()));
        }
    }

    /// Reads a primitive of this type.
    ///
    /// @return boxed
    public static Object read(char code, Decoder from) throws IOException {
        return switch (code) {
            case 'Z' -> from.getByte() != 0;
            case 'B' -> from.getByte();
            case 'S' -> from.getShort();
            case 'C' -> (char) from.getShort();
            case 'I' -> from.getInt();
            case 'F' -> Float.intBitsToFloat(from.getInt());
            case 'J' -> from.getLong();
            default -> Double.longBitsToDouble(from.getLong());
        };
    }
}
