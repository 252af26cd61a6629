package org.ibidem.serial.hook;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// A class whose `writeReplace` says what is written.
public final class ReplacedCodec extends Codec {
    private final MethodHandle replacer;

    /// A codec that calls this method.
    public ReplacedCodec(Class<?> type, MethodHandle replacer) {
        super(type, REPLACED);
        this.replacer = replacer.asType(MethodType.methodType(Object.class, Object.class));
    }

    @Override
    public @Nullable Object replacement(Object object) throws IOException {
        return Calls.exchange(replacer, object);
    }

    @Override
    public void write(Encoder to, Object object, int depth) {
        throw new IllegalStateException("only the replacement is written");
    }

    @Override
    public Object read(Decoder from, int depth) {
        throw new IllegalStateException("only the replacement is read");
    }
}
