package org.ibidem.serial.codec;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.List;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// Classes as objects: `Class`, and the descriptors of the JDK's stream. A primitive type is its
/// descriptor's character; any other is 0 and the number by which the connection knows it.
final class Classes {
    private static final int CLASS = 32;
    private static final String PRIMITIVES = "ZBSCIJFDV";
    private static final List<Class<?>> PRIMITIVE_TYPES =
            List.of(
                    boolean.class,
                    byte.class,
                    short.class,
                    char.class,
                    int.class,
                    long.class,
                    float.class,
                    double.class,
                    void.class);

    private static final ClassValue<Codec> NAMED =
            new ClassValue<>() {
                @Override
                protected Codec computeValue(Class<?> type) {
                    return new Named(type);
                }
            };

    private Classes() {}

    static Codec of(int tag) {
        return tag == CLASS ? new OfClass() : new OfStreamClass();
    }

    private static void write(Encoder to, Class<?> type) throws IOException {
        if (type.isPrimitive()) {
            to.putByte(type.descriptorString().charAt(0));
        } else {
            int number = to.number(NAMED.get(type));
            to.putByte(0);
            to.putShort(number);
        }
    }

    static Class<?> read(Decoder from) throws IOException, ClassNotFoundException {
        int primitive = from.getByte();
        while (primitive == Tag.DESCRIBE) {
            from.describeHere();
            primitive = from.getByte();
        }
        if (primitive != 0) {
            int place = PRIMITIVES.indexOf(primitive);
            if (place < 0) {
                throw from.corrupt("primitive type " + primitive);
            }
            return PRIMITIVE_TYPES.get(place);
        }
        var there = from.described(Short.toUnsignedInt(from.getShort())).description;
        var type = from.load(there.name());
        if (!there.levels().isEmpty()) {
            compatible(type, there.levels().getFirst());
        }
        return type;
    }

    private static void compatible(Class<?> type, Description.Level there)
            throws InvalidClassException {
        var here = ObjectStreamClass.lookup(type);
        boolean checked = here != null && !type.isArray() && !type.isRecord();
        if (checked && here.getSerialVersionUID() != there.version()) {
            throw new InvalidClassException(
                    type.getName(),
                    "local class incompatible: stream classdesc serialVersionUID = "
                            + there.version()
                            + ", local class serialVersionUID = "
                            + here.getSerialVersionUID());
        }
    }

    /// A class that is only named.
    private static final class Named extends Codec {
        Named(Class<?> type) {
            super(type, VALUE);
        }

        @Override
        public Description description() {
            var stream =
                    Serializable.class.isAssignableFrom(type) && !type.isArray()
                            ? ObjectStreamClass.lookup(type)
                            : null;
            var levels =
                    stream == null
                            ? List.<Description.Level>of()
                            : List.of(
                                    new Description.Level(
                                            type.getName(),
                                            stream.getSerialVersionUID(),
                                            0,
                                            List.of()));
            return new Description(Description.Kind.NAMED, 0, type.getName(), List.of(), levels);
        }

        @Override
        public void write(Encoder to, Object object, int depth) {
            throw new IllegalStateException(type + " is only named");
        }

        @Override
        public Object read(Decoder from, int depth) {
            throw new IllegalStateException(type + " is only named");
        }
    }

    private static final class OfClass extends Builtin {
        OfClass() {
            super(CLASS, Class.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            Classes.write(to, (Class<?>) object);
        }

        @Override
        public Object read(Decoder from, int depth) throws IOException, ClassNotFoundException {
            return Classes.read(from);
        }
    }

    private static final class OfStreamClass extends Builtin {
        OfStreamClass() {
            super(33, ObjectStreamClass.class, VALUE);
        }

        @Override
        public void write(Encoder to, Object object, int depth) throws IOException {
            Classes.write(to, ((ObjectStreamClass) object).forClass());
        }

        @Override
        public @Nullable Object read(Decoder from, int depth)
                throws IOException, ClassNotFoundException {
            return ObjectStreamClass.lookupAny(Classes.read(from));
        }
    }
}
