package org.ibidem.serial.codec;

import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.serial.generate.Generator;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.hook.ObjectCodec;
import org.ibidem.serial.hook.ReplacedCodec;
import org.ibidem.serial.inside.Inside;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.CodecSource;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Described;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Tag;
import org.jspecify.annotations.Nullable;

/// Which codec serves which class. A codec lives as long as its class.
public final class Codecs implements CodecSource {
    private static final @Nullable Codec[] BY_TAG = new @Nullable Codec[Tag.FIRST_CLASS];
    private static final Map<Class<?>, Codec> BUILTIN = builtins();

    /// Serializable classes only.
    public static final Codecs STANDARD = new Codecs(false);

    /// All classes: those that are not serializable as if they were.
    public static final Codecs EXTENDED = new Codecs(true);

    private final boolean extended;
    private final Generator generator = new Generator(this, false);
    private final Generator swapping = new Generator(this, true);
    private final Readers readers = new Readers(this);

    private final ClassValue<Codec> own =
            new ClassValue<>() {
                @Override
                protected Codec computeValue(Class<?> type) {
                    try {
                        return make(type);
                    } catch (ObjectStreamException e) {
                        return new RefusedCodec(type, e);
                    }
                }
            };
    private final ClassValue<Codec> replaced =
            new ClassValue<>() {
                @Override
                protected Codec computeValue(Class<?> type) {
                    return replacing(type);
                }
            };

    private Codecs(boolean extended) {
        this.extended = extended;
    }

    private static Map<Class<?>, Codec> builtins() {
        var all = new HashMap<Class<?>, Codec>();
        for (var some :
                List.of(
                        Boxes.all(),
                        PrimitiveArrays.all(),
                        Lists.all(),
                        Maps.all(),
                        Sets.all(),
                        Immutables.all(),
                        Scalars.all(),
                        Classes.all())) {
            for (var codec : some) {
                var before = all.put(codec.type, codec);
                var taken = BY_TAG[codec.tag()];
                assert before == null && taken == null : codec.type + " and " + taken;
                BY_TAG[codec.tag()] = codec;
            }
        }
        all.putAll(Immutables.more());
        return all;
    }

    /// Whether classes that are not serializable are, too.
    boolean isExtended() {
        return extended;
    }

    Generator generator(boolean swapped) {
        return swapped ? swapping : generator;
    }

    private Codec replacing(Class<?> type) {
        var plain = own.get(type);
        if (BUILTIN.containsKey(type) || !Serializable.class.isAssignableFrom(type)) {
            return plain;
        }
        var replacer = org.ibidem.serial.model.Reflection.Own.REPLACE.in(type);
        return replacer == null || type.isEnum() ? plain : new ReplacedCodec(type, replacer);
    }

    private Codec make(Class<?> type) throws ObjectStreamException {
        var builtin = BUILTIN.get(type);
        if (builtin != null) {
            return builtin;
        }
        if (type.isArray()) {
            return new ReferenceArrays(type);
        }
        if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
            return type.isEnum() ? new Enums(type) : own.get(type.getSuperclass());
        }
        if (!extended && !Serializable.class.isAssignableFrom(type)) {
            throw new NotSerializableException(type.getName());
        }
        return make(extended ? Shape.extended(type) : Shape.of(type));
    }

    private Codec make(Shape shape) throws InvalidClassException {
        var inside = extended ? null : Inside.codec(shape);
        if (inside != null) {
            return inside;
        }
        boolean record = shape.kind == Description.Kind.RECORD;
        if (record ? shape.resolver == null : shape.isPlain()) {
            return generator.codec(new Plan(shape));
        }
        return record ? new RecordCodec(shape, generator) : new ObjectCodec(shape, generator);
    }

    @Override
    public Codec of(Class<?> type) throws NotSerializableException, InvalidClassException {
        var codec = replaced.get(type);
        if (codec instanceof RefusedCodec refused) {
            throw refused.again();
        }
        return codec;
    }

    @Override
    public Codec known(Class<?> type) {
        return replaced.get(type);
    }

    @Override
    public Codec unreplaced(Class<?> type) throws NotSerializableException, InvalidClassException {
        var codec = own.get(type);
        if (codec instanceof RefusedCodec refused) {
            throw refused.again();
        }
        return codec;
    }

    @Override
    public Codec reading(Described described, Decoder from)
            throws java.io.IOException, ClassNotFoundException {
        return readers.reading(described.description, from);
    }

    @Override
    public @Nullable Codec builtin(int tag) {
        return BY_TAG[tag];
    }
}
