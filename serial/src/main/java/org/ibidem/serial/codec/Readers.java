package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.hook.AbsentCodec;
import org.ibidem.serial.hook.ObjectCodec;
import org.ibidem.serial.hook.RecordReader;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;

/// Finds the codec that reads what a peer described: the usual one where the class is here as it is
/// there, else one that matches the two.
final class Readers {
    private static final int MOST_INTERFACES = 0xFFFF;

    private final Codecs codecs;

    Readers(Codecs codecs) {
        this.codecs = codecs;
    }

    Codec reading(Description there, Decoder from) throws IOException, ClassNotFoundException {
        Class<?> type;
        try {
            type =
                    there.kind() == Description.Kind.PROXY
                            ? proxy(there, from)
                            : from.load(there.name());
        } catch (ClassNotFoundException e) {
            return new AbsentCodec(there, e);
        }
        return switch (there.kind()) {
            case OBJECT, EXTERNAL, PROXY -> object(there, type, from);
            case RECORD -> record(there, type, from);
            case ENUM -> enumeration(there, type);
            case ARRAY -> array(type, from);
            case NAMED -> throw from.corrupt(there.name() + " was only named, and here is one");
        };
    }

    private Codec object(Description there, Class<?> type, Decoder from) throws IOException {
        if (type.isEnum()) {
            throw new InvalidClassException(
                    type.getName(), "cannot bind non-enum descriptor to an enum class");
        }
        if (type.isRecord() || type.isArray() || type.isInterface()) {
            throw new InvalidClassException(type.getName(), "class invalid for deserialization");
        }
        if (there.has(Description.EXTENDED) && !codecs.isExtended()) {
            throw new InvalidClassException(
                    type.getName(), "not serializable; only an extended port takes it");
        }
        boolean serializable = Serializable.class.isAssignableFrom(type);
        if (!serializable && !there.has(Description.EXTENDED)) {
            throw new InvalidClassException(type.getName(), "class invalid for deserialization");
        }
        from.superclasses(type, there);
        var known = codecs.unreplaced(type);
        var usual = from.swapped() ? known.last() : known;
        if ((!from.swapped() || usual.readsAnyOrder())
                && usual.tag() == 0
                && usual.description().equals(there)) {
            return usual;
        }
        var shape = serializable ? Shape.of(type) : Shape.extended(type);
        if ((shape.kind == Description.Kind.EXTERNAL)
                != (there.kind() == Description.Kind.EXTERNAL)) {
            throw new InvalidClassException(
                    type.getName(), "Serializable incompatible with Externalizable");
        }
        var generator = codecs.generator(from.swapped());
        if (shape.isPlain()) {
            var plan = new Plan(shape);
            if (plan.description().equals(there)) {
                return generator.codec(plan);
            }
        }
        return new ObjectCodec(shape, generator).changed(there);
    }

    private Codec record(Description there, Class<?> type, Decoder from) throws IOException {
        if (!type.isRecord()) {
            // a record that became a class, or the other way round, is matched level by level
            return object(there, type, from);
        }
        var usual = codecs.unreplaced(type);
        if (!from.swapped() && usual.description().equals(there)) {
            return usual;
        }
        return new RecordReader(new Plan(Shape.of(type)), there);
    }

    private static Codec enumeration(Description there, Class<?> type)
            throws InvalidClassException {
        if (!type.isEnum()) {
            throw new InvalidClassException(
                    type.getName(), "cannot bind enum descriptor to a non-enum class");
        }
        return new Enums(type, there);
    }

    private Codec array(Class<?> type, Decoder from) throws IOException {
        if (!type.isArray() || type.getComponentType().isPrimitive()) {
            throw from.corrupt(type.getName() + " is no array of references");
        }
        return codecs.unreplaced(type);
    }

    /// A proxy needs its own permission, and one for each interface.
    private static Class<?> proxy(Description there, Decoder from)
            throws IOException, ClassNotFoundException {
        from.load(Proxy.class.getName());
        var names = there.names();
        if (names.size() > MOST_INTERFACES) {
            throw from.corrupt("a proxy of " + names.size() + " interfaces");
        }
        var interfaces = new Class<?>[names.size()];
        for (int i = 0; i < interfaces.length; i++) {
            interfaces[i] = from.load(names.get(i));
        }
        try {
            return Proxy.newProxyInstance(from.loader(), interfaces, (_, _, _) -> null).getClass();
        } catch (IllegalArgumentException e) {
            var problem = new ClassNotFoundException("a proxy of " + names, e);
            throw problem;
        }
    }
}
