package org.ibidem.serial.inside;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.ibidem.serial.generate.PlainCodec;
import org.ibidem.serial.generate.Plan;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Calls the code in one class. This one is never used itself: for each class a hidden copy is
/// made, in which the handles are constants that the compiler sees through. So no code need be
/// generated at run time.
final class InsideCodec extends PlainCodec {
    private static final Inside INSIDE = inside();
    private static final MethodHandle PUT = INSIDE.put();
    private static final MethodHandle READ = INSIDE.read();

    InsideCodec(Plan plan) {
        super(plan);
    }

    private static Inside inside() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), "_", Inside.class);
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public boolean readsAnyOrder() {
        return true;
    }

    @Override
    public int put(Encoder to, Object object, int depth, int at) throws IOException {
        try {
            return (int) PUT.invokeExact((Codec) this, to, object, depth, at);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        try {
            return READ.invokeExact((Codec) this, from, depth);
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /// What the code throws is thrown on, whatever it is.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> RuntimeException thrown(Throwable e) throws E {
        throw (E) e;
    }
}
