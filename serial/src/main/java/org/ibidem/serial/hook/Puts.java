package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.model.Layout;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Values for the serializable fields of a level, put by name.
class Puts extends ObjectOutputStream.PutField {
    private final List<Slot> slots;
    private final Map<String, Integer> places = new HashMap<>();
    private final @Nullable Object[] values;

    Puts(List<Slot> slots) {
        this.slots = slots;
        this.values = new @Nullable Object[slots.size()];
        for (int i = 0; i < slots.size(); i++) {
            places.put(slots.get(i).name(), i);
        }
    }

    void put(String name, char code, @Nullable Object value) {
        Integer place = places.get(name);
        if (place == null || slots.get(place).code() != code) {
            throw new IllegalArgumentException("no such field " + name + " with type " + code);
        }
        values[place] = value;
    }

    @Override
    public void put(String name, boolean value) {
        put(name, 'Z', value);
    }

    @Override
    public void put(String name, byte value) {
        put(name, 'B', value);
    }

    @Override
    public void put(String name, char value) {
        put(name, 'C', value);
    }

    @Override
    public void put(String name, short value) {
        put(name, 'S', value);
    }

    @Override
    public void put(String name, int value) {
        put(name, 'I', value);
    }

    @Override
    public void put(String name, long value) {
        put(name, 'J', value);
    }

    @Override
    public void put(String name, float value) {
        put(name, 'F', value);
    }

    @Override
    public void put(String name, double value) {
        put(name, 'D', value);
    }

    @Override
    public void put(String name, @Nullable Object value) {
        put(name, 'L', value);
    }

    /// An old way that writes what no reader finds; the JDK has deprecated it.
    @Override
    @Deprecated
    @SuppressWarnings("removal") // as long as it is there
    public void write(ObjectOutput out) throws IOException {
        throw new IOException("call writeFields of the stream instead: " + Arrays.toString(values));
    }

    void writeTo(Encoder to, int depth) throws IOException {
        var layout = Layout.of(slots);
        for (var slot : layout.primitives()) {
            write(to, slot.code(), value(slot));
        }
        for (var slot : layout.references()) {
            if (slot.unshared()) {
                to.writeUnshared(value(slot), depth);
            } else {
                to.write(value(slot), depth);
            }
        }
    }

    private @Nullable Object value(Slot slot) {
        return values[places.getOrDefault(slot.name(), -1)];
    }

    private static void write(Encoder to, char code, @Nullable Object value) throws IOException {
        switch (code) {
            case 'Z' -> to.putByte(value == null || !(Boolean) value ? 0 : 1);
            case 'B' -> to.putByte(value == null ? 0 : (Byte) value);
            case 'S' -> to.putShort(value == null ? 0 : (Short) value);
            case 'C' -> to.putShort(value == null ? 0 : (Character) value);
            case 'I' -> to.putInt(value == null ? 0 : (Integer) value);
            case 'F' -> to.putInt(value == null ? 0 : Float.floatToRawIntBits((Float) value));
            case 'J' -> to.putLong(value == null ? 0 : (Long) value);
            default -> to.putLong(value == null ? 0 : Double.doubleToRawLongBits((Double) value));
        }
    }
}
