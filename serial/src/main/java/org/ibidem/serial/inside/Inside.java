package org.ibidem.serial.inside;

import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.model.Access;
import org.ibidem.serial.model.Shape;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// The code in a class that has been loaded: the constants of its [InsideCodec].
///
/// @param plan of the class
/// @param put writes an object: (Codec, Encoder, Object, int depth, int at)int
/// @param read reads one: (Codec, Decoder, int depth)Object
public record Inside(Plan plan, MethodHandle put, MethodHandle read) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MethodType PUT =
            MethodType.methodType(
                    int.class, Codec.class, Encoder.class, Object.class, int.class, int.class);
    private static final MethodType READ =
            MethodType.methodType(Object.class, Codec.class, Decoder.class, int.class);

    /// A codec by the code in the class; null: it has none, or was changed since it got it.
    public static @Nullable Codec codec(Shape shape) throws InvalidClassException {
        return fits(shape) ? codec(shape, Plan.inside(shape)) : null;
    }

    /// As [#codec(Shape)], for a class of which much is known already.
    public static @Nullable Codec codec(Plan plan) {
        return fits(plan.shape()) ? codec(plan.shape(), plan) : null;
    }

    private static @Nullable Codec codec(Shape shape, Plan plan) {
        var access = shape.levels.getLast().access;
        if (access == null) {
            return null;
        }
        var type = shape.type;
        try {
            var lookup = access.lookup();
            var put = lookup.findStatic(type, Members.PUT, PUT.changeParameterType(2, type));
            var read = lookup.findStatic(type, Members.READ, READ);
            return define(new Inside(plan, put.asType(PUT), read));
        } catch (NoSuchMethodException | IllegalAccessException | LinkageError _) {
            return null; // what it was rewritten for is another Ibidem than this one
        }
    }

    private static boolean fits(Shape shape) {
        if (shape.kind != Description.Kind.OBJECT || shape.extended || shape.resolver != null) {
            return false;
        }
        if (text(shape.type, shape.levels.getLast().access) == null) {
            return false;
        }
        var tiers = new ArrayList<LevelFields>();
        for (var level : shape.levels) {
            tiers.add(new LevelFields(level.type, level.slots));
        }
        var all = new Hierarchy(tiers);
        for (int i = 0; i < shape.levels.size(); i++) {
            var level = shape.levels.get(i);
            var text = level.isCustom() ? null : text(level.type, level.access);
            if (text == null || !new Hierarchy(all.tiers.subList(0, i + 1)).hasFieldsOf(text)) {
                return false;
            }
        }
        return all.text().equals(text(shape.type, shape.levels.getLast().access));
    }

    private static @Nullable String text(Class<?> type, @Nullable Access access) {
        try {
            var field = type.getDeclaredField(Members.SHAPE);
            return access == null ? null : (String) access.handle(field).get();
        } catch (NoSuchFieldException | IllegalAccessException | ClassCastException _) {
            return null;
        }
    }

    private static Codec define(Inside inside) {
        try (var template = InsideCodec.class.getResourceAsStream("InsideCodec.class")) {
            if (template == null) {
                throw new IllegalStateException("InsideCodec.class is missing");
            }
            var lookup =
                    LOOKUP.defineHiddenClassWithClassData(template.readAllBytes(), inside, false);
            var type = MethodType.methodType(void.class, Plan.class);
            var made = lookup.findConstructor(lookup.lookupClass(), type);
            return (Codec) made.invoke(inside.plan);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException("InsideCodec.class cannot be read", e);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
