package org.ibidem.serial.hook;

import java.io.IOException;
import java.io.InvalidClassException;
import java.util.List;
import org.ibidem.serial.wire.Absent;
import org.ibidem.serial.wire.Codec;
import org.ibidem.serial.wire.Decoder;
import org.ibidem.serial.wire.Description;
import org.ibidem.serial.wire.Encoder;
import org.jspecify.annotations.Nullable;

/// Gets past objects of a class that is not here, which is no harm where nobody wants them.
public final class AbsentCodec extends Codec {
    private final Description there;
    private final Absent absent;
    private final Layers layers;

    /// A codec that throws away what it reads.
    public AbsentCodec(Description there, ClassNotFoundException why) throws InvalidClassException {
        super(Object.class, SHARED);
        this.there = there;
        this.absent = new Absent(why);
        this.layers = Layers.match(there, List.of());
    }

    @Override
    public void write(Encoder to, Object object, int depth) {
        throw new IllegalStateException("it only reads");
    }

    @Override
    public @Nullable Object read(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        absent.take(from.discarding());
        if (!there.has(Description.VALUE)) {
            from.register(absent);
        }
        switch (there.kind()) {
            case EXTERNAL -> HookInput.of(from).skip(null, depth, null);
            case ENUM -> skipConstant(from);
            case ARRAY -> skipElements(from, depth);
            default -> layers.read(from, null, depth);
        }
        return null;
    }

    private void skipConstant(Decoder from) throws IOException {
        if (there.names().size() <= Description.FIT_A_BYTE) {
            from.getByte();
        } else {
            from.getShort();
        }
    }

    private static void skipElements(Decoder from, int depth)
            throws IOException, ClassNotFoundException {
        int count = from.getCount();
        from.count(count);
        for (int i = 0; i < count; i++) {
            from.discard(depth);
        }
    }
}
