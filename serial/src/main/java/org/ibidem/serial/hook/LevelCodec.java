package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.Map;
import org.ibidem.serial.generate.Generator;
import org.ibidem.serial.generate.PlainFields;
import org.ibidem.serial.model.ClassLevel;
import org.ibidem.serial.model.FieldAccess;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.model.Slot;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// One level of a hierarchy with the means to write and fill it: generated code where its fields
/// can be reached, what the JDK lends to serializers where they cannot.
final class LevelCodec {
    private static final MethodType WRITER =
            MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
    private static final MethodType READER =
            MethodType.methodType(void.class, Object.class, ObjectInputStream.class);
    private static final MethodType NO_DATA = MethodType.methodType(void.class, Object.class);

    final ClassLevel level;

    /// Its fields; null: they are out of reach.
    final @Nullable PlainFields fields;

    /// The ways to single fields; none to those that are out of reach, or are no fields any more.
    final Map<Slot, FieldAccess> accesses;

    private final @Nullable MethodHandle writer;
    private final @Nullable MethodHandle reader;
    private final @Nullable MethodHandle noDataReader;
    private final @Nullable MethodHandle defaultWriter;
    private final @Nullable MethodHandle defaultReader;

    LevelCodec(ClassLevel level, Generator generator) throws InvalidClassException {
        this.level = level;
        this.writer = adapt(level.writer, WRITER);
        this.reader = adapt(level.reader, READER);
        this.noDataReader = adapt(level.noDataReader, NO_DATA);
        var ways = new HashMap<Slot, FieldAccess>();
        var access = level.access;
        if (access != null) {
            for (var slot : level.slots) {
                var field = slot.field();
                if (field != null && access.sets(field)) {
                    ways.put(slot, FieldAccess.of(slot, access));
                }
            }
        }
        this.accesses = ways;
        boolean generated =
                ways.size() == level.slots.size() && level.slots.stream().noneMatch(Slot::unshared);
        this.fields = generated ? generator.fields(level, ways) : null;
        boolean lent = !generated && level.isBound();
        this.defaultWriter = lent ? adapt(own(Reflection.Own.DEFAULT_WRITE), WRITER) : null;
        this.defaultReader = lent ? adapt(own(Reflection.Own.DEFAULT_READ), READER) : null;
    }

    private @Nullable MethodHandle own(Reflection.Own method) {
        return method.in(level.type);
    }

    private static @Nullable MethodHandle adapt(@Nullable MethodHandle handle, MethodType type) {
        return handle == null ? null : handle.asType(type);
    }

    /// Whether its fields are set one by one: also where `serialPersistentFields` names what is no
    /// field any more, which matters to who writes alone.
    boolean isSetSingly() {
        return level.slots.stream()
                .allMatch(slot -> slot.field() == null || accesses.containsKey(slot));
    }

    boolean hasReader() {
        return reader != null;
    }

    /// Writes this level of an object.
    void write(Encoder to, Object object, int depth) throws IOException {
        var own = writer;
        if (own == null) {
            writeFields(to, object, depth);
        } else {
            HookOutput.of(to).custom(this, object, depth, own);
        }
    }

    /// Writes the default fields.
    void writeFields(Encoder to, Object object, int depth) throws IOException {
        var code = fields;
        if (code != null) {
            to.filled(code.put(to, object, depth, to.position()));
        } else {
            HookOutput.of(to).lent(this, object, depth).writeTo(to, depth);
        }
    }

    /// What puts the default fields that are out of reach.
    MethodHandle defaultWriter() throws InvalidClassException {
        var lent = defaultWriter;
        if (lent == null) {
            throw unmatched();
        }
        return lent;
    }

    /// Sets the default fields through the stream, which gives their values.
    void setFields(Object object, ObjectInputStream from)
            throws IOException, ClassNotFoundException {
        var lent = defaultReader;
        if (lent == null && level.slots.stream().allMatch(slot -> slot.field() == null)) {
            return; // they are asked for by name, as in a ConcurrentHashMap's subclass
        }
        if (lent == null) {
            throw unmatched();
        }
        Calls.read(lent, object, from);
    }

    private InvalidClassException unmatched() {
        return new InvalidClassException(
                level.type.getName(), "unmatched serializable field(s) declared");
    }

    /// Calls its `readObject`.
    void read(Object object, ObjectInputStream from) throws IOException, ClassNotFoundException {
        var own = reader;
        if (own == null) {
            return;
        }
        try {
            own.invokeExact(object, from);
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (Throwable e) {
            throw Calls.known(e);
        }
    }

    /// Calls its `readObjectNoData`, if it has one.
    void readNoData(Object object) throws IOException, ClassNotFoundException {
        if (noDataReader != null) {
            Calls.call(noDataReader, object);
        }
    }
}
