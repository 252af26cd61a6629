package org.ibidem.serial.codec;

import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.io.ObjectStreamException;
import java.io.Serializable;
import org.ibidem.serial.generate.FirstCodec;
import org.ibidem.serial.generate.Generator;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.hook.ObjectCodec;
import org.ibidem.serial.hook.ReplacedCodec;
import org.ibidem.serial.inside.Inside;
import org.ibidem.serial.model.Reflection;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.CodecSource;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Described;
import org.ibidem.serial.wire.Description;
import org.jspecify.annotations.Nullable;

/// Which codec serves which class. A codec lives as long as its class.
public final class Codecs implements CodecSource, FirstCodec.Tiers {
    /// Objects of a class that travel before code is made for them. It takes a fresh process a
    /// tenth of a second to learn how to make code, and then some milliseconds for each class: as
    /// long as some thousand objects take without.
    private static final int FEW = 1000;

    /// Serializable classes only.
    public static final Codecs STANDARD = new Codecs(false, FEW);

    /// All classes: those that are not serializable as if they were.
    public static final Codecs EXTENDED = new Codecs(true, FEW);

    private final boolean extended;
    private final int after;
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

    /// Codecs of their own, of which nobody else knows.
    ///
    /// @param extended whether classes that are not serializable are, too
    /// @param after objects of a class that travel before code is made for them
    public Codecs(boolean extended, int after) {
        this.extended = extended;
        this.after = after;
    }

    /// Whether classes that are not serializable are, too.
    boolean isExtended() {
        return extended;
    }

    Generator generator(boolean swapped) {
        return swapped ? swapping : generator;
    }

    private Codec replacing(Class<?> type) {
        var stands = RemoteCodec.of(type);
        if (stands != null) {
            return stands;
        }
        var plain = own.get(type);
        if (plain.tag() != 0 || !Serializable.class.isAssignableFrom(type)) {
            return plain;
        }
        var replacer = Reflection.Own.REPLACE.in(type);
        return replacer == null || type.isEnum() ? plain : new ReplacedCodec(type, replacer);
    }

    private Codec make(Class<?> type) throws ObjectStreamException {
        var builtin = Builtins.of(type);
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
        boolean record = shape.kind == Description.Kind.RECORD;
        if (record ? shape.resolver == null : shape.isPlain()) {
            var plan = new Plan(shape);
            return after > 0 ? new FirstCodec(plan, this) : generate(plan);
        }
        var inside = findsInside() ? Inside.codec(shape) : null;
        if (inside != null) {
            return inside;
        }
        return record ? new RecordCodec(shape, generator) : new ObjectCodec(shape, generator);
    }

    @Override
    public int after() {
        return after;
    }

    @Override
    public Codec generate(Plan plan) throws InvalidClassException {
        var inside = findsInside() ? Inside.codec(plan) : null;
        return inside != null ? inside : generator.codec(plan);
    }

    /// Code that stands in classes takes the codecs of others from the standard ones.
    @SuppressWarnings("ReferenceEquality")
    private boolean findsInside() {
        return this == STANDARD;
    }

    @Override
    public Codec of(Class<?> type) throws NotSerializableException, InvalidClassException {
        var codec = replaced.get(type);
        if (codec instanceof RefusedCodec refused) {
            throw refused.again();
        }
        return codec.latest();
    }

    @Override
    public Codec known(Class<?> type) {
        return replaced.get(type).last();
    }

    @Override
    public Codec unreplaced(Class<?> type) throws NotSerializableException, InvalidClassException {
        var codec = own.get(type);
        if (codec instanceof RefusedCodec refused) {
            throw refused.again();
        }
        return codec.latest();
    }

    @Override
    public Codec reading(Described described, Decoder from)
            throws java.io.IOException, ClassNotFoundException {
        return readers.reading(described.description, from);
    }

    @Override
    public @Nullable Codec builtin(int tag) {
        return Builtins.of(tag);
    }
}
