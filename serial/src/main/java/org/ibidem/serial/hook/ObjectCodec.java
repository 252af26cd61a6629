package org.ibidem.serial.hook;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.ibidem.serial.generate.Generator;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Objects of a class with methods of its own, or with levels out of our reach: level by level.
public final class ObjectCodec extends Codec {
    private final Shape shape;
    private final @Nullable Constructor<?> make;
    private final List<LevelCodec> strata;
    private final Description description;
    private final Layers layers;
    private final Resolving resolving;

    /// Whether it is one element many times, which may be compared with as many.
    private final boolean repeated;

    /// Found when the first codec is made.
    private static final class Copies {
        private static final Class<?> TYPE = Collections.nCopies(1, 1).getClass();
    }

    /// A codec for all of that class's objects that stand for themselves.
    public ObjectCodec(Shape shape, Generator generator) throws InvalidClassException {
        super(shape.type, SHARED);
        this.shape = shape;
        this.make = shape.constructor();
        this.strata = strata(shape, generator);
        this.description = shape.description(Description.LAYERED);
        this.layers = Layers.match(description, strata);
        this.resolving = new Resolving(shape);
        this.repeated = type == Copies.TYPE;
    }

    private ObjectCodec(ObjectCodec here, Description there) throws InvalidClassException {
        super(here.type, SHARED);
        this.shape = here.shape;
        this.make = here.make;
        this.strata = here.strata;
        this.description = there;
        this.layers = Layers.match(there, strata);
        this.resolving = here.resolving;
        this.repeated = here.repeated;
    }

    /// For one peer that described the class otherwise than it is here; it only reads.
    public ObjectCodec changed(Description there) throws InvalidClassException {
        return new ObjectCodec(this, there);
    }

    static List<LevelCodec> strata(Shape shape, Generator generator) throws InvalidClassException {
        var strata = new ArrayList<LevelCodec>();
        for (var level : shape.levels) {
            strata.add(new LevelCodec(level, generator));
        }
        return List.copyOf(strata);
    }

    @Override
    public Description description() {
        return description;
    }

    @Override
    public boolean hashesInside() {
        return true;
    }

    @Override
    public void write(Encoder to, Object object, int depth) throws IOException {
        to.filled(put(to, object, depth, to.position()));
    }

    /// Here, and not in [#write]: each call counts where such objects nest.
    @Override
    public int put(Encoder to, Object object, int depth, int at) throws IOException {
        to.filled(at);
        if (shape.kind == Description.Kind.EXTERNAL) {
            HookOutput.of(to).external((Externalizable) object, depth);
        } else {
            for (var stratum : strata) {
                stratum.write(to, object, depth);
            }
        }
        return to.position();
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        from.depth(depth);
        var constructor = make;
        if (constructor == null) {
            throw new InvalidClassException(type.getName(), "no valid constructor");
        }
        var object = Calls.make(constructor);
        int handle = from.begin(object);
        long cost =
                shape.kind == Description.Kind.EXTERNAL
                        ? HookInput.of(from).external((Externalizable) object, depth)
                        : layers.read(from, object, depth);
        from.complete(
                handle, repeated ? Decoder.times(((List<?>) object).size() + 1L, cost) : cost);
        return resolving.resolve(from, object, handle);
    }
}
